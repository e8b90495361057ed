// What every end-to-end test needs: dist/ on a server below a sub-path, a real Chromium, and a page
// in a chosen language, colour scheme and size that fails its test when anything goes wrong unseen.
//
//   import test from "node:test";
//   import { openPage } from "./helper.mjs";
//
//   test("a claim about the page", async (t) => {
//     const { page } = await openPage(t, { language: "ko", dark: true });
//     ...
//   });

import assert from "node:assert/strict";
import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../../tools/serve.mjs";

/** dist/ must work below any path, so no test sees it at the root of a host. */
export const PREFIX = "/some/where/regroup/";

export const LAPTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

const SHOTS = fileURLToPath(new URL("../../shots/", import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Chromium by itself calls home in many ways; a test talks to this machine only.
export const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-sync",
];

/** The system's Chromium: what `./run` found, or the first of the usual names on the PATH. */
export function executablePath() {
  if (process.env.CHROME) return process.env.CHROME;
  const names = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser"];
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    for (const name of names) {
      const candidate = path.join(folder, name);
      try {
        accessSync(candidate, constants.X_OK);
        return candidate;
      } catch {
        // Not here; the next folder may have it.
      }
    }
  }
  throw new Error("no Chrome or Chromium found: `./run setup` installs one, or set CHROME to its path");
}

export const launch = () => chromium.launch({ executablePath: executablePath(), args: FLAGS });

/**
 * A page at Regroup's address, mounted, for the test `t`, which also closes it.
 *
 * - `language`: "en" or "ko", as the browser's preferred language
 * - `dark`, `reducedMotion`: the preferences of the same names
 * - `size`: `LAPTOP`, `PHONE` or `{ width, height }`
 * - `query`: what follows the address, such as "?embed=1" or "#s=..."
 * - `mounted`: false for pages that are not meant to come up
 * - `prepare`: `async (context)`, run before the page is opened
 * - `javaScriptEnabled`: false for a browser without scripts
 * - `worker`: true for a page that may have its service worker
 * - `types`: the content types that the host knows, by extension
 *
 * Returns `{ page, context, server, problems }`. Unless the test itself empties `problems`, it fails
 * if the page wrote an error to the console, threw, failed to load something, or asked any other
 * host for anything.
 */
export async function openPage(t, options = {}) {
  const {
    language = "en",
    dark = false,
    reducedMotion = false,
    size = LAPTOP,
    query = "",
    mounted = true,
    prepare = async () => {},
    javaScriptEnabled = true,
    types = undefined,
    worker = false,
  } = options;
  const server = await serve({ prefix: PREFIX, types });
  const browser = await launch();
  const problems = [];
  t.after(async () => {
    // What ends because we end it is not the page's trouble.
    const found = [...problems];
    await browser.close();
    await server.close();
    assert.deepEqual(found, [], "the page had no trouble that nobody saw");
  });
  const context = await browser.newContext({
    locale: language === "ko" ? "ko-KR" : "en-US",
    colorScheme: dark ? "dark" : "light",
    reducedMotion: reducedMotion ? "reduce" : "no-preference",
    viewport: size,
    hasTouch: size.width < 600,
    javaScriptEnabled,
    serviceWorkers: worker ? "allow" : "block",
  });

  const home = new URL(server.url).origin;
  await context.route(
    (url) => url.origin !== home && !["data:", "blob:"].includes(url.protocol),
    (route) => {
      problems.push(`asked another host: ${route.request().url()}`);
      return route.abort();
    },
  );
  await prepare(context);
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`thrown: ${error.message}`));
  page.on("requestfailed", (request) => {
    // A browser without scripts preloads the page's script all the same, and then drops it.
    if (javaScriptEnabled) problems.push(`failed: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  await page.goto(server.url + query);
  if (mounted) await page.locator("#app > :not(#boot)").first().waitFor();
  return { page, context, server, problems };
}

/** Fails unless axe-core finds nothing to complain about on the page as it is now. */
export async function assertAccessible(page) {
  await page.evaluate(AXE);
  // Colours on their way from one to another are judged when they are there.
  await page.evaluate(() => Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished.catch(() => {}))));
  const violations = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run();
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
  });
  assert.deepEqual(violations, []);
}

/** Every look that a picture is wanted of: language × colour scheme × size. */
export const LOOKS = ["en", "ko"].flatMap((language) =>
  [false, true].flatMap((dark) => [LAPTOP, PHONE].map((size) => ({ language, dark, size }))),
);

export const lookName = ({ language, dark, size }) =>
  `${language}-${dark ? "dark" : "light"}-${size.width}x${size.height}`;

/** Writes shots/NAME.png, a picture of what a person would see now; returns its path. */
export async function shot(page, name) {
  mkdirSync(SHOTS, { recursive: true });
  const file = path.join(SHOTS, `${name}.png`);
  await page.screenshot({ path: file });
  return file;
}
