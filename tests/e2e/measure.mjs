// Measures the budgets that a browser decides: when the picture moves, what a frame costs, how fast the engine
// is in wasm, a seek, the assignor lab, memory. Prints a table; decides nothing.
//
//   ./run measure            (build dist/ first: ./run build)
//
// A machine without a GPU paints in software, on the very cores that run the page. So frames are given twice:
// how far they were apart here, and how much processor time the page's own thread took for each (scripts, style,
// layout, recording of paint): that is what a machine with a GPU would have to pay, too. Times of one thing are
// the median of several; other programs that run meanwhile make them longer.

import { readFileSync } from "node:fs";
import { serve } from "../../tools/serve.mjs";
import { LAPTOP, launch } from "./helper.mjs";

const SECONDS = 8;
const FIRST_LOADS = 5;
const SEEKS = 25;
/** Events in the ten virtual minutes that a search runs through in vain (`World::steps` of the class room). */
const SEARCH_EVENTS = 160_817;
const SEARCHES = 5;

/** In the page: when frames came, and when the clock moved. Keeps the wasm's memory, too. */
function watch() {
  const measured = { starts: [] };
  globalThis.measured = measured;
  const ask = globalThis.requestAnimationFrame.bind(globalThis);
  globalThis.requestAnimationFrame = (callback) =>
    ask((ms) => {
      measured.starts.push(ms);
      callback(ms);
    });
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const made = WebAssembly[name].bind(WebAssembly);
    WebAssembly[name] = async (...given) => {
      const result = await made(...given);
      measured.memory = result.instance.exports.memory;
      return result;
    };
  }
  // The clock is there, and then it moves.
  let first;
  const look = () => {
    const text = document.querySelector(".clock")?.textContent;
    first ??= text;
    if (text === first) ask(look);
    else measured.moved = performance.now();
  };
  ask(look);
}

const percentile = (numbers, share) => [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] ?? NaN;
const median = (numbers) => percentile(numbers, 0.5);
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
  await page.waitForFunction(() => measured.moved);
  return page;
}

/** What the browser says of itself while `during` runs: every event of a trace. */
async function trace(browser, during) {
  const devtools = await browser.newBrowserCDPSession();
  const events = [];
  devtools.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await devtools.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["devtools.timeline", "toplevel"] } });
  await during();
  const complete = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
  await devtools.send("Tracing.end");
  await complete;
  await devtools.detach();
  return events;
}

const threadOf = (event) => `${event.pid}:${event.tid}`;
const isWhole = (name) => (event) => event.name === name && event.ph === "X";
const processorMs = (event) => (event.tdur ?? event.dur) / 1000;

/** Begins of frames in the page's own thread, and all its tasks. */
function ownThread(events) {
  const begins = events.filter(isWhole("FireAnimationFrame")).sort((a, b) => a.ts - b.ts);
  const main = begins.length > 0 ? threadOf(begins[0]) : "";
  const isMain = (event) => threadOf(event) === main;
  return { begins: begins.filter(isMain), tasks: events.filter(isWhole("ThreadControllerImpl::RunTask")).filter(isMain) };
}

/** Processor time of the page's thread from each frame's begin to the next one's, ms. */
function timeOfFrames(events) {
  const { begins, tasks } = ownThread(events);
  const times = begins.map(() => 0);
  for (const task of tasks) {
    // The task in which a frame begins is that frame's.
    const frame = begins.findLastIndex((begin) => begin.ts <= task.ts + task.dur);
    if (frame >= 0) times[frame] += processorMs(task);
  }
  return times.slice(1, -1);
}

/** Processor time of each task of the page's thread while `during` runs, ms. */
async function taskTimes(browser, during) {
  return ownThread(await trace(browser, during)).tasks.map(processorMs);
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Frames over some seconds at the present speed. */
async function frames(browser, page) {
  await page.evaluate(() => (measured.starts.length = 0));
  const events = await trace(browser, () => page.waitForTimeout(SECONDS * 1000));
  const starts = await page.evaluate(() => measured.starts);
  const steps = starts.slice(1).map((start, index) => start - starts[index]);
  const times = timeOfFrames(events);
  return { step: percentile(steps, 0.95), count: steps.length, time: percentile(times, 0.95), middle: median(times) };
}

async function speedTo(page, wanted) {
  for (let tries = 0; tries < 40; tries += 1) {
    const now = (await page.locator(".speed output").textContent()).trim();
    if (now === wanted) return;
    await page.keyboard.press(parseFloat(now) > parseFloat(wanted) ? "-" : "+");
  }
  throw new Error(`there is no speed ${wanted}`);
}

/** Until the page has dealt with something and shows it, ms. */
const untilShown = (page, what) =>
  page.evaluate(async (source) => {
    const clock = document.querySelector(".clock");
    const before = clock.textContent;
    const start = performance.now();
    eval(source);
    while (clock.textContent === before && performance.now() - start < 60_000) await new Promise((go) => setTimeout(go));
    return performance.now() - start;
  }, what);

const seekTo = (perMille) => `
  const input = document.querySelector(".scrubber input");
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, "${perMille}");
  input.dispatchEvent(new InputEvent("input", { bubbles: true }));`;

const minutes = (page) => page.evaluate(() => Number(document.querySelector(".clock").textContent.split(":")[0]));

/** The class room with so many partitions and members. */
function largeScenario(partitions, members) {
  const file = new URL("../../src/scenario/library/class-room.json", import.meta.url);
  const scenario = JSON.parse(readFileSync(file, "utf8"));
  scenario.topics[0].partitions = partitions;
  const [consumer] = scenario.consumers;
  scenario.consumers = Array.from({ length: members }, (_, index) => ({ ...consumer, name: `c${index + 1}`, at: 10 + index }));
  delete scenario.expect;
  delete scenario.logs;
  delete scenario.groups;
  return JSON.stringify(scenario);
}

const rows = [];
const say = (what, budget, found) => {
  rows.push({ what, budget, found });
  console.log(`${what}: ${found} (${budget})`);
};

async function sayFrames(browser, page, what, budget) {
  const found = await frames(browser, page);
  say(`${what}: page's own thread, p95 of ${found.count}`, budget, `${milliseconds(found.time)} (median ${milliseconds(found.middle)})`);
  say(`${what}: from frame to frame, painted in software, p95`, budget, milliseconds(found.step));
}

const server = await serve({ prefix: "/measure/" });
const browser = await launch();
try {
  const moves = [];
  for (let load = 0; load < FIRST_LOADS; load += 1) {
    const slow = await open(browser, server.url, 4);
    moves.push(await slow.evaluate(() => measured.moved));
    await slow.context().close();
  }
  say(`first picture moving, CPU 4× slower, median of ${moves.length}`, "1000 ms", `${milliseconds(median(moves))} (best ${milliseconds(Math.min(...moves))})`);

  const page = await open(browser, server.url);
  await page.waitForTimeout(3000);
  for (const speed of ["1×", "10×"]) {
    await speedTo(page, speed);
    await sayFrames(browser, page, `class room at ${speed}`, "16.7 ms");
  }

  // What bytes cost: every message of the diagram and the list is sized, one is taken apart.
  await speedTo(page, "1×");
  await page.locator("#tab-Messages").click();
  await page.locator(".messages-list .request").first().click();
  await page.locator(".anatomy").first().waitFor();
  await sayFrames(browser, page, "class room at 1× with the messages and the bytes of one", "16.7 ms");
  await page.keyboard.press("Escape");
  await page.locator("#tab-Ownership").click();

  // A group that stands still has no next rebalance: the search runs its whole length, frame by frame.
  await page.keyboard.press(" ");
  const rates = [];
  while (rates.length < SEARCHES) {
    await page.keyboard.press("Escape");
    const spent = await taskTimes(browser, async () => {
      await page.keyboard.press("n");
      await page.locator(".stop-note", { hasText: "Not within" }).waitFor({ timeout: 120_000 });
    });
    rates.push(SEARCH_EVENTS / (sum(spent) / 1000));
  }
  say(`engine in wasm, with scene, chronicle, keyframes and the page around it, best of ${rates.length}`, "500,000 pops/s", `${Math.round(Math.max(...rates)).toLocaleString("en")} pops/s`);

  await speedTo(page, "100×");
  await page.keyboard.press(" ");
  await page.waitForFunction(() => Number(document.querySelector(".clock").textContent.split(":")[0]) >= 30, null, { timeout: 120_000 });
  await page.keyboard.press(" ");
  const length = await minutes(page);
  const seeks = [];
  for (let turn = 0; turn < SEEKS; turn += 1) seeks.push(Math.max(...(await taskTimes(browser, () => untilShown(page, seekTo((turn * 389 + 17) % 900))))));
  say(`seek in ${length} minutes, all that the page does for it, median of ${seeks.length}`, "100 ms", `${milliseconds(median(seeks))} (longest ${milliseconds(Math.max(...seeks))})`);
  const bytes = await page.evaluate(() => measured.memory?.buffer.byteLength ?? NaN);
  say(`wasm memory after ${length} virtual minutes`, "150 MB", `${(bytes / 1e6).toFixed(0)} MB`);
  await page.context().close();

  const lab = await open(browser, server.url);
  await lab.locator("#tab-Lab").click();
  await lab.locator(".lab-sums td").first().waitFor();
  const tasks = await taskTimes(browser, async () => {
    await lab.locator(".lab-sources .button").filter({ hasText: "1,000 members" }).click();
    await lab.waitForFunction(() => document.querySelector(".lab-walk") && ![...document.querySelectorAll(".lab-sums td")].some((cell) => cell.textContent === "…"));
    await lab.waitForTimeout(500);
  });
  const long = tasks.filter((ms) => ms > 50).map(Math.round);
  say("assignor lab, 1,000 members × 10,000 partitions: tasks over 50 ms", "none", `${long.length === 0 ? "none" : `${long.join(", ")} ms`} (longest ${milliseconds(Math.max(...tasks))})`);
  await lab.context().close();

  const large = await open(browser, server.url);
  await large.keyboard.press("o");
  await large.locator('input[type="file"]').setInputFiles({ name: "large.json", mimeType: "application/json", buffer: Buffer.from(largeScenario(1000, 100)) });
  await large.waitForTimeout(15_000);
  await sayFrames(browser, large, "1,000 partitions × 100 members at 1×", "33 ms");
} finally {
  await browser.close();
  await server.close();
}
console.table(rows);
