// What the first load of dist/ weighs, gzipped: index.html and every file that is named in it or in
// a text file so reached. Says by how much that is above the budget: like all
// speeds and sizes it is measured here and written down in the README, not asserted.
//
//   node tools/size.mjs

import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { DIST } from "./serve.mjs";

/** Gzipped bytes of everything that a first visit loads. */
export const BUDGET_BYTES = 300_000;

const TEXT = new Set([".css", ".html", ".js", ".json", ".mjs", ".svg", ".webmanifest"]);

/** The files of the first load, each `{ name, bytes, gzipBytes }`, `index.html` first. */
export function firstLoad(directory = DIST) {
  const all = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath ?? entry.path, entry.name)));
  const reached = ["index.html"];
  const files = [];
  for (const name of reached) {
    const content = readFileSync(path.join(directory, name));
    files.push({ name, bytes: content.length, gzipBytes: gzipSync(content, { level: 9 }).length });
    // The service worker fetches what it keeps later, when the page is there; parts are fetched when they are needed.
    if (name === "sw.js" || name.startsWith("__wasm_split") || !TEXT.has(path.extname(name))) continue;
    const text = content.toString("utf8");
    for (const other of all) {
      if (!reached.includes(other) && text.includes(path.basename(other))) reached.push(other);
    }
  }
  return files;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = firstLoad();
  const total = files.reduce((sum, file) => sum + file.gzipBytes, 0);
  for (const file of files) console.log(`${String(file.gzipBytes).padStart(9)}  ${file.name}`);
  console.log(`${String(total).padStart(9)}  bytes gzipped in all; the budget is ${BUDGET_BYTES}`);
  if (total > BUDGET_BYTES) console.log(`The first load is ${total - BUDGET_BYTES} bytes over its budget.`);
}
