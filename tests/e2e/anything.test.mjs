// Somebody who presses anything and types anything: nothing breaks. Everything is drawn by a seed, so a failure
// comes again; the test's error names the last steps.

import assert from "node:assert/strict";
import test from "node:test";
import { LAPTOP, openPage, PHONE } from "./helper.mjs";

const STEPS = 220;
const KEYS = [" ", "Escape", "+", "-", "[", "]", "a", "b", "h", "i", "k", "m", "n", "o", "s", "u", "?", ".", ",", "1", "2", "3", "4", "5", "6", "7", "8", "ArrowLeft", "ArrowRight"];
const TYPED = ["", "0", "1", "7", "-5", "abc", "100000", "99999999999999999999", "orders-1", "c1"];

/** Whole numbers below `n`, the same for the same seed (Numerical Recipes' generator). */
function draws(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** In the page: presses or fills one of the visible controls, and says which. Half of the choices stay within the inspector. */
function touch({ which, value, within, typed }) {
  const all = [...document.querySelectorAll("button, input, select, textarea, summary")].filter((element) => {
    const words = `${element.innerText ?? ""} ${element.ariaLabel ?? ""}`;
    // A print dialog stops everything; a saved file helps nobody.
    return element.checkVisibility() && !element.disabled && !["file", "range"].includes(element.type) && !/print|인쇄|svg|png|pcap|save|저장/i.test(words);
  });
  const on = document.querySelector(".sheet") ?? (within ? document.querySelector('.side[data-open="true"]') : null);
  const inner = on ? all.filter((element) => on.contains(element)) : [];
  const pool = inner.length > 0 ? inner : all;
  const element = pool[which % pool.length];
  if (!element) return "nothing";
  const name = `${element.tagName} ${element.ariaLabel ?? element.closest(".field-row")?.innerText ?? element.innerText}`.slice(0, 60);
  element.focus();
  if (element.tagName === "SELECT") {
    element.selectedIndex = value % element.options.length;
    element.dispatchEvent(new Event("change", { bubbles: true }));
    return `${name} = ${element.value}`;
  }
  if (element.tagName === "TEXTAREA" || (element.tagName === "INPUT" && element.type !== "checkbox")) {
    const prototype = element.tagName === "INPUT" ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
    Object.getOwnPropertyDescriptor(prototype, "value").set.call(element, typed);
    element.dispatchEvent(new Event("input", { bubbles: true }));
    // Sometimes it is left half typed, for the next step to find.
    if (value % 3 > 0) element.dispatchEvent(new Event("change", { bubbles: true }));
    return `${name} <- ${typed}`;
  }
  element.click();
  return name;
}

for (const [seed, look] of [[4, { size: LAPTOP }], [9, { size: PHONE, language: "ko", dark: true }]]) {
  test(`whatever is pressed and typed, the page goes on (seed ${seed})`, async (t) => {
    const { page, problems } = await openPage(t, look);
    const draw = draws(seed);
    const steps = [];
    for (let step = 0; step < STEPS && problems.length === 0; step += 1) {
      if (draw(6) === 0) {
        const key = KEYS[draw(KEYS.length)];
        steps.push(`key ${key}`);
        await page.keyboard.press(key);
      } else {
        steps.push(await page.evaluate(touch, { which: draw(2 ** 20), value: draw(2 ** 20), within: draw(2) === 0, typed: TYPED[draw(TYPED.length)] }));
      }
      if (draw(4) === 0) await page.waitForTimeout(draw(120));
    }
    const broken = await page.locator(".broken").count();
    assert.deepEqual([problems, broken], [[], 0], steps.slice(-12).join("\n"));
  });
}

/** One of each kind of thing that the inspector shows: where it is pressed, and the view in which it stands. */
const THINGS = {
  broker: [".broker .name"],
  topic: [".cluster header button"],
  producer: [".producer .name"],
  member: [".member .name"],
  group: [".group .name"],
  partition: [".lane .name, .lane button"],
  event: [".strip .event button", "Events"],
  message: [".messages-list .request", "Messages"],
};

test("whatever is chosen after whatever else, the inspector shows it", async (t) => {
  const { page, problems } = await openPage(t);
  await page.waitForFunction(() => document.querySelectorAll(".member .chip").length === 6);
  await page.waitForTimeout(3000);
  await page.keyboard.press("k");
  const choose = async (name) => {
    const [where, view] = THINGS[name];
    if (view) await page.locator(`#tab-${view}`).click();
    await page.locator(where).first().waitFor({ state: "attached" });
    // Without the time that a hand takes: what is chosen changes while the last change is still being drawn.
    await page.evaluate((where) => document.querySelector(where).click(), where);
  };
  for (const first of Object.keys(THINGS)) {
    for (const second of Object.keys(THINGS)) {
      await choose(first);
      await page.locator(".side h2").first().waitFor();
      await choose(second);
      await page.waitForFunction(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => go(true)))));
      assert.deepEqual(problems, [], `${first}, then ${second}`);
    }
  }
});
