// The pages that say what of Kafka is modelled, what is simplified or left out, and where in the source it is
// said: made from static/modelled/modelled.json and defaults.json by each build.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const read = (name) => JSON.parse(readFileSync(fileURLToPath(new URL(`../static/modelled/${name}`, import.meta.url)), "utf8"));

const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(/`([^`]+)`/g, "<code>$1</code>").replaceAll(/\*([^*]+)\*/g, "<b>$1</b>");

/** What a configuration takes, where that can be said. */
function takes(bounds) {
  if (!bounds) return "";
  if (bounds.of) return bounds.of.map((word) => `<code>${escaped(word)}</code>`).join(", ");
  return bounds.map((bound) => BigInt(bound).toLocaleString("en")).join(" … ");
}

/** The page in one language. `defaults`: what a test holds against the engine. */
export function page(content, defaults, language) {
  const say = (text) => escaped(text[language]);
  const other = language === "en" ? "ko" : "en";
  const parts = content.parts.map(
    (part) => `<section><h2>${say(part.title)}</h2><ul>
${part.items.map((item) => `<li${item.source ? ` data-source="${item.source}"` : ""}>${say(item)}${item.source ? ` <small><code>${item.source}</code></small>` : ""}</li>`).join("\n")}
</ul></section>`,
  );
  const words = content.defaults;
  const tables = defaults.map(
    (table) => `<h3>${say(words.of[table.of])}</h3>
<div class="wide"><table><thead><tr><th>${say(words.name)}</th><th>${say(words.default)}</th><th>${say(words.takes)}</th></tr></thead><tbody>
${table.configurations.map((row) => `<tr><td><code>${row.name.replaceAll(".", ".<wbr>")}</code></td><td>${row.default ? `<code>${escaped(row.default)}</code>` : say(words.none)}</td><td>${takes(row.takes)}</td></tr>`).join("\n")}
</tbody></table></div>`,
  );
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${say(content.title)} · Regroup</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; --ground: light-dark(#f7f7f5, #121316); --ink: light-dark(#1b1d20, #e9e9e6); --quiet: light-dark(#5a5f66, #a9aeb6); --line: light-dark(#e4e4e0, #2a2d33); }
body { margin: 0 auto; max-width: 46rem; padding: 2rem 1.5rem 4rem; background: var(--ground); color: var(--ink); font: 1rem/1.6 Inter, system-ui, "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans KR", sans-serif; overflow-wrap: anywhere; }
:lang(ko) { word-break: keep-all; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.0625rem; margin: 2rem 0 0.5rem; }
a { color: inherit; } li { margin-block: 0.4rem; } small { color: var(--quiet); }
code { font-size: 0.875em; } h3 { font-size: 1rem; margin: 1.5rem 0 0.25rem; } .wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; } td, th { overflow-wrap: normal; text-align: start; vertical-align: top; padding: 0.25rem 1rem 0.25rem 0; border-block-end: 1px solid var(--line); } td:not(:first-child) { overflow-wrap: anywhere; } th { color: var(--quiet); font-weight: 500; } nav { display: flex; justify-content: space-between; }
</style>
</head>
<body>
<nav><a href="../">Regroup</a><a href="./${other}.html" lang="${other}" hreflang="${other}">${other === "en" ? "English" : "한국어"}</a></nav>
<main>
<h1>${say(content.title)}</h1>
${content.intro.map((text) => `<p>${say(text)}</p>`).join("\n")}
${parts.join("\n")}
<section id="defaults"><h2>${say(words.title)}</h2>
<p>${say(words.intro)}</p>
${tables.join("\n")}
</section>
<section id="report"><h2>${say(content.report.title)}</h2>
${content.report.text.map((text) => `<p>${say(text)}</p>`).join("\n")}
</section>
</main>
</body>
</html>
`;
}

/** Writes the pages of all languages below `folder`. */
export function writePages(folder) {
  const [content, defaults] = [read("modelled.json"), read("defaults.json")];
  mkdirSync(path.join(folder, "modelled"), { recursive: true });
  for (const language of ["en", "ko"]) {
    writeFileSync(path.join(folder, "modelled", `${language}.html`), page(content, defaults, language));
  }
}
