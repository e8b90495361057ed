// Measures the budgets that a browser decides: when the picture moves, how long frames and the engine's
// part of them take, how much memory a long run needs. Prints a table; decides nothing.
//
//   ./run measure            (build dist/ first: ./run build)

import { serve } from "../../tools/serve.mjs";
import { LAPTOP, launch } from "./helper.mjs";

const SECONDS = 10;

/** In the page: how long each frame's callbacks ran, and when frames came. Keeps the wasm's memory, too. */
function watch() {
  const frames = { callbacks: [], starts: [] };
  globalThis.measured = frames;
  const ask = globalThis.requestAnimationFrame.bind(globalThis);
  globalThis.requestAnimationFrame = (callback) =>
    ask((ms) => {
      const start = performance.now();
      frames.starts.push(ms);
      try {
        callback(ms);
      } finally {
        frames.callbacks.push(performance.now() - start);
      }
    });
  const keep = ({ instance }) => (frames.memory = instance.exports.memory);
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const made = WebAssembly[name].bind(WebAssembly);
    WebAssembly[name] = async (...given) => {
      const result = await made(...given);
      keep(result);
      return result;
    };
  }
}

const percentile = (numbers, share) => [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] ?? NaN;
const milliseconds = (number) => `${number.toFixed(1)} ms`;

async function open(browser, url, throttle = 1) {
  const context = await browser.newContext({ viewport: LAPTOP, locale: "en-US" });
  const page = await context.newPage();
  await page.addInitScript(watch);
  if (throttle > 1) {
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: throttle });
  }
  await page.goto(url);
  await page.locator(".clock").waitFor();
  return page;
}

/** From the navigation until the clock has moved, ms. */
async function firstMove(page) {
  return page.evaluate(async () => {
    const clock = document.querySelector(".clock");
    const first = clock.textContent;
    while (clock.textContent === first) await new Promise((go) => requestAnimationFrame(go));
    return performance.now();
  });
}

/** Frames over some seconds at the present speed. */
async function frames(page) {
  await page.evaluate(() => {
    measured.callbacks.length = 0;
    measured.starts.length = 0;
  });
  await page.waitForTimeout(SECONDS * 1000);
  const { callbacks, starts } = await page.evaluate(() => ({ callbacks: measured.callbacks, starts: measured.starts }));
  const steps = starts.slice(1).map((start, index) => start - starts[index]);
  return { engine: percentile(callbacks, 0.95), step: percentile(steps, 0.95), count: steps.length };
}

async function speedUp(page, wanted) {
  for (let tries = 0; tries < 20; tries += 1) {
    if ((await page.locator(".speed output").textContent()).trim() === wanted) return;
    await page.keyboard.press("+");
  }
  throw new Error(`there is no speed ${wanted}`);
}

const rows = [];
const say = (what, budget, found) => rows.push({ what, budget, found });
const server = await serve({ prefix: "/measure/" });
const browser = await launch();
try {
  const slow = await open(browser, server.url, 4);
  say("first picture moving, CPU 4× slower", "1000 ms", milliseconds(await firstMove(slow)));
  await slow.context().close();

  const page = await open(browser, server.url);
  await page.waitForTimeout(3000);
  for (const speed of ["1×", "10×"]) {
    await speedUp(page, speed);
    const found = await frames(page);
    say(`frame at ${speed}, p95 of ${found.count}`, "16.7 ms", milliseconds(found.step));
    say(`all that runs in a frame's callback at ${speed}, p95 (the engine's part is below)`, "4 ms", milliseconds(found.engine));
  }
  await speedUp(page, "100×");
  await page.waitForFunction(() => Number(document.querySelector(".clock").textContent.split(":")[0]) >= 30, null, {
    timeout: 300_000,
  });
  const bytes = await page.evaluate(() => measured.memory?.buffer.byteLength ?? NaN);
  say("wasm memory after 30 virtual minutes", "150 MB", `${(bytes / 1e6).toFixed(0)} MB`);
} finally {
  await browser.close();
  await server.close();
}
console.table(rows);
