// After a build with the feature `parts`: separates the program into the file that the first picture needs and
// those that are fetched when they are needed (src/page/part.rs says which), and makes each of them small.
//
// Trunk has made JavaScript and wasm of the whole by then; both are replaced. What separates is `wasm-split-cli` of
// the crate wasm_split_cli_support; it reads the linker's relocations, so the build keeps them.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** What stands in the JavaScript of a program that is to be separated. */
const PLACEHOLDER = "__wasm_split_placeholder__";
/** The file that fetches parts. */
const LOADER = "__wasm_split.js";

const hashed = (name, content) => {
  const { name: stem, ext } = path.parse(name);
  return `${stem}-${createHash("sha256").update(content).digest("hex").slice(0, 16)}${ext}`;
};

const run = (program, ...args) => execFileSync(program, args, { stdio: ["ignore", "inherit", "inherit"] });

/** Where Cargo has put the program as the linker left it. */
function linked() {
  const metadata = execFileSync("cargo", ["metadata", "--format-version", "1", "--no-deps", "--offline"], { maxBuffer: 1 << 26 });
  return path.join(JSON.parse(metadata).target_directory, "wasm32-unknown-unknown", "page", "page.wasm");
}

// More than -O1 does not make the compressed files smaller: the compiler has optimised for size already. By name,
// instances of one function for different types stand side by side, where a compressor sees how alike they are.
const optimise = (from, to) =>
  run("wasm-opt", "-O1", "--reorder-functions-by-name", "--strip-debug", "--strip-producers", "--enable-bulk-memory", "--enable-reference-types", "--enable-multivalue",
    "--enable-mutable-globals", "--enable-sign-ext", "--enable-nontrapping-float-to-int", from, "-o", to);

/** Separates what is in Trunk's folder, if it is to be separated. */
export function separate(folder) {
  const script = readdirSync(folder).find((name) => /^page-.*\.js$/.test(name));
  if (!script || !readFileSync(path.join(folder, script), "utf8").includes(PLACEHOLDER)) return;
  const stem = path.parse(script).name;
  const work = mkdtempSync(path.join(tmpdir(), "regroup-parts-"));
  try {
    run("wasm-split-cli", linked(), work, "--out-name", stem);
    run("wasm-bindgen", path.join(work, `${stem}.wasm`), "--keep-lld-exports", "--target", "web", "--no-typescript", "--out-dir", work, "--out-name", stem);
    optimise(path.join(work, `${stem}_bg.wasm`), path.join(folder, `${stem}_bg.wasm`));
    let loader = readFileSync(path.join(work, LOADER), "utf8");
    const parts = readdirSync(work).filter((name) => /^(split|chunk)_.*\.wasm$/.test(name)).sort();
    for (const part of parts) {
      const small = path.join(work, `small-${part}`);
      optimise(path.join(work, part), small);
      const content = readFileSync(small);
      const name = hashed(part, content);
      writeFileSync(path.join(folder, name), content);
      loader = loader.replaceAll(`./${part}`, `./${name}`);
    }
    const name = hashed(LOADER, loader);
    writeFileSync(path.join(folder, name), loader);
    // The wasm file calls it by its first name.
    const text = readFileSync(path.join(work, script), "utf8");
    writeFileSync(path.join(folder, script), text.replaceAll(`from "./${LOADER}"`, `from "./${name}"`));
    // Else the browser would learn of it when the script is there.
    const page = path.join(folder, "index.html");
    writeFileSync(page, readFileSync(page, "utf8").replace("</head>", `<link crossorigin rel=modulepreload href=./${name}>$&`));
  } finally {
    rmSync(work, { recursive: true });
  }
}
