// The ledger's windows on the time bar, and what is told of a record: drawn by pointer, moved by key.

import assert from "node:assert/strict";
import test from "node:test";
import { PHONE, assertAccessible, openPage } from "./helper.mjs";

const TEXT = {
  en: { deliveries: "Deliveries", strip: "Window that the ledger counts", from: "Beginning of the window", until: "End of the window", whole: "Whole run" },
  ko: { deliveries: "전달 내역", strip: "장부가 세는 구간", from: "구간의 시작", until: "구간의 끝", whole: "전체" },
};

/** A page that stands still some 20 seconds after the beginning, with its ledger open. */
async function openLedger(t, options = {}) {
  const { page } = await openPage(t, options);
  const text = TEXT[options.language ?? "en"];
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await page.waitForFunction(() => Number(document.querySelector(".scrubber > input")?.value ?? 0) >= 340, undefined, { timeout: 60_000 });
  await page.keyboard.press("Space");
  await page.getByRole("tab", { name: text.deliveries }).click();
  const strip = page.getByRole("group", { name: text.strip });
  await strip.waitFor();
  return { page, text, strip };
}

const delivered = async (page) => Number((await page.locator("[data-figure=delivered]").textContent()).replaceAll(",", ""));

/** Draws from one place of the strip to another, in parts of its width. */
async function draw(page, strip, from, to) {
  const box = await strip.boundingBox();
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * ((from + to) / 2), y);
  await page.mouse.move(box.x + box.width * to, y);
  await page.mouse.up();
}

for (const language of ["en", "ko"]) {
  test(`a window is drawn on the time bar, and the ledger counts it (${language})`, async (t) => {
    const { page, text, strip } = await openLedger(t, { language });
    const whole = await delivered(page);
    await draw(page, strip, 0.1, 0.2);
    await page.locator(".brush .window[data-chosen=true]").waitFor();
    const middle = await delivered(page);
    assert.ok(middle > 0 && middle < whole, `${middle} of ${whole}`);
    // The two windows that touch make up the one around them.
    await draw(page, strip, 0.4, 0.2);
    await page.waitForFunction((before) => document.querySelector("[data-figure=delivered]").textContent !== before, String(middle));
    const late = await delivered(page);
    assert.ok(late > 0 && middle + late < whole, `${middle} and ${late} of ${whole}`);
    // An end is taken hold of, and moved.
    const box = await strip.boundingBox();
    assert.ok(box.height >= 24, "large enough to be hit");
    await page.getByRole("button", { name: text.whole }).click();
    assert.equal(await delivered(page), whole);
  });
}

test("a window's ends are moved by the arrow keys", async (t) => {
  const { page, text } = await openLedger(t);
  const whole = await delivered(page);
  await page.getByRole("slider", { name: text.from }).focus();
  for (let press = 0; press < 20; press += 1) await page.keyboard.press("ArrowRight");
  await page.waitForFunction((before) => document.querySelector("[data-figure=delivered]").textContent !== before, await page.locator("[data-figure=delivered]").textContent().then(() => String(whole)));
  const later = await delivered(page);
  assert.ok(later < whole, `${later} of ${whole}`);
  await page.getByRole("slider", { name: text.until }).focus();
  for (let press = 0; press < 10; press += 1) await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((before) => document.querySelector("[data-figure=delivered]").textContent !== before, String(later));
  assert.ok((await delivered(page)) < later);
  await assertAccessible(page);
});

test("a window is drawn by touch on a phone, and nothing sticks out", async (t) => {
  const { page, strip } = await openLedger(t, { size: PHONE });
  const whole = await delivered(page);
  const box = await strip.boundingBox();
  const session = await page.context().newCDPSession(page);
  const touch = (type, part) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : [{ x: box.x + box.width * part, y: box.y + box.height / 2 }],
    });
  await touch("touchStart", 0.1);
  await touch("touchMove", 0.15);
  await touch("touchMove", 0.2);
  await touch("touchEnd", 0.2);
  await page.locator(".brush .window[data-chosen=true]").waitFor();
  const middle = await delivered(page);
  assert.ok(middle > 0 && middle < whole, `${middle} of ${whole}`);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(over, 0, "nothing sticks out sideways");
  await assertAccessible(page);
});

test("a record's fields are those of ConsumerRecord", async (t) => {
  const { page } = await openLedger(t);
  await page.locator(".track").first().click({ position: { x: 8, y: 5 } });
  const rows = page.locator(".side dl.rows");
  await rows.first().waitFor();
  const text = await rows.first().textContent();
  for (const field of ["topic", "partition", "offset", "timestamp", "timestampType", "key", "value", "serializedKeySize", "serializedValueSize"]) {
    assert.ok(text.includes(field), `${field} in ${text}`);
  }
});
