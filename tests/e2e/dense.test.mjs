// The stage where there is much on it: a cell per partition, a line per member, and all that can be done.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { assertAccessible, openPage, PHONE } from "./helper.mjs";

/** The class room with so many partitions and members. */
function scenario(partitions, members) {
  const file = new URL("../../src/scenario/library/class-room.json", import.meta.url);
  const scenario = JSON.parse(readFileSync(file, "utf8"));
  scenario.topics[0].partitions = partitions;
  const [consumer] = scenario.consumers;
  scenario.consumers = Array.from({ length: members }, (_, index) => ({ ...consumer, name: `c${index + 1}`, at: 10 + index }));
  for (const part of ["expect", "groups", "logs"]) delete scenario[part];
  return JSON.stringify(scenario);
}

async function openLarge(t, options = {}) {
  const opened = await openPage(t, options);
  const { page } = opened;
  await page.keyboard.press("o");
  const buffer = Buffer.from(scenario(90, 30));
  await page.locator('input[type="file"]').first().setInputFiles({ name: "large.json", mimeType: "application/json", buffer });
  await page.waitForFunction(() => document.querySelectorAll(".cell").length === 90);
  await page.waitForFunction(() => document.querySelectorAll('.cell[data-colour="none"]').length === 0, null, { timeout: 60_000 });
  return opened;
}

test("a cell is chosen by keyboard and has its lane, and a member that is chosen its acts", async (t) => {
  const { page } = await openLarge(t);
  assert.equal(await page.locator(".lane").count(), 0);
  await page.locator(".cells").first().focus();
  for (const key of ["ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  await page.locator(".lane").waitFor();
  const chosen = page.locator('.cell[aria-selected="true"]');
  assert.match(await chosen.getAttribute("title"), /^orders-\d+: c\d+$/);
  const victim = (await chosen.getAttribute("title")).split(": ")[1];

  await page.locator(".crowd .name", { hasText: new RegExp(`^${victim}$`) }).click();
  await page.locator(".crowd .acts .danger").click();
  await page.waitForFunction(() => document.querySelectorAll('.cell[data-colour="none"]').length === 3);
});

test("cells and lines have no accessibility violations", async (t) => {
  const { page } = await openLarge(t, { dark: true });
  await page.keyboard.press("k");
  await assertAccessible(page);
});

test("on a phone cells and lines do not stick out sideways", async (t) => {
  const { page } = await openLarge(t, { size: PHONE, language: "ko" });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
});
