// Writes static/incidents/index.json: what the shelf on the page says of each incident, taken from the
// scenario files beside it. tests/shelf.rs holds that it is true.
//
//   node tools/shelf.mjs

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "static", "incidents");
const cards = readdirSync(folder).filter((name) => /^i-\d+\.json$/.test(name)).sort().map((name) => {
  const { card, title, story, question, incident } = JSON.parse(readFileSync(path.join(folder, name), "utf8"));
  return JSON.stringify({ name: path.basename(name, ".json"), card, title, story, question, incident });
});
writeFileSync(path.join(folder, "index.json"), `[\n${cards.join(",\n")}\n]\n`);
console.log(`${cards.length} incidents`);
