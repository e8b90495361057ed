// After each build: the program in parts, the pages that say what is modelled, and the service worker with the
// list of all files and their hashes. Trunk calls it before it puts the files in place.
//
// With REGROUP_WORKER=off there is no service worker: it would keep yesterday's files while somebody
// works on the page.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { writePages } from "./modelled.mjs";
import { separate } from "./parts.mjs";

/** Every file below `folder`, by its path with slashes, with its hash as the integrity of a request. */
export function filesWithHashes(folder) {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))
    .filter((name) => name !== "sw.js")
    .sort();
  const hash = (name) => createHash("sha256").update(readFileSync(path.join(folder, name))).digest("base64");
  return Object.fromEntries(found.map((name) => [name.split(path.sep).join("/"), `sha256-${hash(name)}`]));
}

/** Puts the list into the service worker's text. */
export function withFiles(worker, files) {
  const place = "const FILES = {};";
  if (!worker.includes(place)) throw new Error("static/sw.js has no place for the list of files");
  return worker.replace(place, () => `const FILES = ${JSON.stringify(files, null, 1)};`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.env.TRUNK_STAGING_DIR;
  if (!folder || !existsSync(folder)) throw new Error("TRUNK_STAGING_DIR is where Trunk builds");
  separate(folder);
  writePages(folder);
  if (process.env.REGROUP_WORKER !== "off") {
    const start = path.join(folder, "index.html");
    const html = readFileSync(start, "utf8");
    const marked = html.replace(/<html lang="?en"?/, (tag) => `${tag} data-worker="./sw.js"`);
    if (marked === html) throw new Error("index.html has no <html lang=\"en\">");
    writeFileSync(start, marked);
    const worker = readFileSync(new URL("../static/sw.js", import.meta.url), "utf8");
    writeFileSync(path.join(folder, "sw.js"), withFiles(worker, filesWithHashes(folder)));
  }
}
