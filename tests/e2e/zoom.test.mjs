// Much enlarged: a window at 200 %, letters at twice their size. Everything is still there, whole and apart.

import assert from "node:assert/strict";
import test from "node:test";
import { LAPTOP, openPage, PHONE } from "./helper.mjs";

const member = (page, name) => page.locator(`.member[data-party="client:${name}"]`);
const key = (keys) => (page) => page.keyboard.press(keys);

/** States of a page that stands still, one after the other: `[name, how to get there, how to leave]`. */
const STATES = [
  ["start", async () => {}],
  ...Array.from({ length: 9 }, (_, index) => [`view ${index + 1}`, key(String(index + 1)), async () => {}]),
  ["inspector of a consumer", async (page) => {
    await page.keyboard.press("1");
    await member(page, "c1").locator(".name").click();
    await page.locator(".side .config").first().waitFor();
  }, key("Escape")],
  ["inspector of a group", async (page) => page.locator(".group .name").first().click(), key("Escape")],
  ["a request in the inspector", async (page) => {
    await page.locator("#tab-Messages").click();
    await page.locator(".messages-list .request").first().click();
    await page.locator(".anatomy").first().waitFor();
  }, async (page) => { await page.keyboard.press("Escape"); await page.keyboard.press("1"); }],
  ...[["scenarios", "o"], ["keys", "?"], ["incidents", "i"], ["share", "s"]].map(([name, keys]) => [name, async (page) => {
    await page.keyboard.press(keys);
    await page.locator(".sheet").waitFor();
  }, key("Escape")]),
  ["stops", async (page) => {
    await page.keyboard.press("b");
    await page.locator(".stop-list:popover-open").waitFor();
  }, key("Escape")],
  ["menu", async (page) => {
    await page.locator(".menu-place > .button").click();
    await page.locator(".menu:popover-open").waitFor();
  }, key("Escape")],
];

/** In the page: what is cut off, lies over something else, or sticks out. In words; empty if nothing does. */
function flaws() {
  const found = new Set();
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  // What is only read out is clipped away; what flies is on its way; a short time has no room for its letter.
  const isAside = (element) => {
    for (let around = element; around; around = around.parentElement) if (getComputedStyle(around).clipPath !== "none") return true;
    return element.closest(".wire, option, .over-row i") !== null;
  };
  const say = (element) => `${element.tagName.toLowerCase()}.${element.className.baseVal ?? element.className} “${(element.textContent ?? "").trim().slice(0, 40)}”`;
  const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (over > 0) found.add(`the page is ${over} px too wide`);

  const clips = (style, axis) => style[`overflow${axis}`] !== "visible";

  // The part of a box that no element around it cuts off.
  const whatIsSeen = (element, { left, right, top, bottom }) => {
    for (let around = element; around && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around);
      const edge = around.getBoundingClientRect();
      if (clips(style, "X")) [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      if (clips(style, "Y")) [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
      if (style.position === "fixed") break;
    }
    return { left, right, top, bottom };
  };

  // Over the page, only what is there is looked at.
  const root = document.querySelector(".overlay, :popover-open") ?? document.body;
  const texts = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === "" || !isSeen(element) || isAside(element) || element.closest("script, style, noscript")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width > 1 && box.height > 1) texts.push({ element, box, seen: whatIsSeen(element, box) });
  }

  // Cut: letters outside a box that neither scrolls nor says by an ellipsis that there is more.
  for (const { element, box } of texts) {
    for (let around = element; around && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around);
      const scrolls = (axis) => ["auto", "scroll"].includes(style[`overflow${axis}`]);
      if (scrolls("X") || scrolls("Y")) break;
      const edge = around.getBoundingClientRect();
      const isCutX = clips(style, "X") && style.textOverflow !== "ellipsis" && (box.right > edge.right + 2 || box.left < edge.left - 2);
      const isCutY = clips(style, "Y") && style.webkitLineClamp === "none" && (box.bottom > edge.bottom + 3 || box.top < edge.top - 3);
      if (isCutX || isCutY) found.add(`cut: ${say(element)} in ${say(around)}`);
      if (style.position === "fixed") break;
    }
  }

  // Over one another: letters of one layer that share a place.
  const layerOf = (element) => {
    for (let around = element; around; around = around.parentElement) {
      const { position, overflowX, overflowY } = getComputedStyle(around);
      if (["fixed", "sticky"].includes(position) || [overflowX, overflowY].some((way) => ["auto", "scroll"].includes(way))) return around;
    }
    return document.body;
  };
  const layers = Map.groupBy(texts, ({ element }) => layerOf(element));
  for (const layer of layers.values()) {
    for (const [place, a] of layer.entries()) {
      for (const b of layer.slice(place + 1)) {
        const wide = Math.min(a.seen.right, b.seen.right) - Math.max(a.seen.left, b.seen.left);
        const high = Math.min(a.seen.bottom, b.seen.bottom) - Math.max(a.seen.top, b.seen.top);
        const least = Math.min(a.box.height, b.box.height);
        if (wide > 2 && high > least / 3 && a.element !== b.element) found.add(`over one another: ${say(a.element)} and ${say(b.element)}`);
      }
    }
  }

  // Out of its button: letters beyond what is pressed.
  for (const { element, seen: box } of texts) {
    const button = element.closest(".button, .tabs button, .chip, .letter, .badge");
    const edge = button?.getBoundingClientRect();
    if (edge && (box.left < edge.left - 1 || box.right > edge.right + 1 || box.top < edge.top - 4 || box.bottom > edge.bottom + 4)) found.add(`out of its box: ${say(button)}`);
  }
  return [...found];
}

const ENLARGED = [
  ["a window at 200 %", { size: { width: 720, height: 450 } }],
  ["letters at 200 %", { size: LAPTOP, letters: "200%" }],
  ["letters at 200 % on a phone", { size: PHONE, letters: "200%" }],
];

for (const language of ["en", "ko"]) {
  for (const [what, { size, letters }] of ENLARGED) {
    test(`${what}: nothing is cut, nothing lies over anything, in no state (${language})`, async (t) => {
      const { page } = await openPage(t, { size, language });
      if (letters) await page.addStyleTag({ content: `html { font-size: ${letters} }` });
      await page.waitForFunction(() => document.querySelectorAll(".member .chip").length === 6);
      await page.waitForFunction(() => document.querySelector(".clock").innerText > "0:04");
      await page.keyboard.press("k");
      const found = new Map();
      for (const [name, enter, leave] of STATES) {
        await enter(page);
        await page.waitForFunction(() => !document.querySelector("#panel > [role=status]"));
        await page.waitForTimeout(300);
        for (const flaw of await page.evaluate(flaws)) found.set(flaw, found.get(flaw) ?? name);
        await leave?.(page);
      }
      assert.equal([...found].map(([flaw, name]) => `${name}: ${flaw}`).join("\n"), "");
    });
  }
}
