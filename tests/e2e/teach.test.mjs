// What whoever teaches does: stops, running to the next of something, the trainer's mode, pictures.

import assert from "node:assert/strict";
import test from "node:test";
import { assertAccessible, openPage, PHONE } from "./helper.mjs";

const member = (page, name) => page.locator(`.member[data-party="client:${name}"]`);
const list = (page) => page.locator("#stops");
const note = (page) => page.locator(".stop-note");
const isPlaying = async (page) => (await page.locator(".transport .play").getAttribute("aria-label")).match(/Pause|일시정지/) !== null;

/** The clock in milliseconds. */
async function clock(page) {
  const text = await page.locator(".clock").innerText();
  const [minutes, seconds] = text.split(":");
  return Math.round((Number(minutes) * 60 + Number(seconds)) * 1_000);
}

const until = (page, text) => page.waitForFunction((text) => document.querySelector(".clock").innerText > text, text, { timeout: 60_000 });

async function faster(page, presses) {
  for (let press = 0; press < presses; press += 1) await page.keyboard.press("+");
}

const scrollsSideways = (page) => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

test("time stops at exactly the same instant at any speed, and says why", async (t) => {
  const { page } = await openPage(t);
  await until(page, "0:04");
  await page.keyboard.press("k");
  await member(page, "c2").getByRole("button", { name: "Kill" }).click();
  const began = await clock(page);
  const instants = [];
  for (const presses of [2, 4]) {
    await page.locator(".scrubber input").evaluate((input) => input.blur?.());
    if (instants.length === 0) {
      await page.keyboard.press("b");
      await list(page).getByRole("checkbox", { name: "A group leaves Stable" }).check();
      await page.keyboard.press("Escape");
      await list(page).waitFor({ state: "hidden" });
      assert.equal(await page.locator("#stops-button").getAttribute("data-count"), "1");
    } else {
      // Back to before it, by the scrubber.
      await page.locator(".scrubber input").fill(String(Math.floor(began / 60)));
      await page.locator(".scrubber input").evaluate((input) => input.blur());
    }
    await faster(page, presses);
    await page.keyboard.press("k");
    await note(page).waitFor({ timeout: 60_000 });
    assert.match(await note(page).innerText(), /Stopped: a group leaves Stable\./);
    assert.ok(!(await isPlaying(page)), "time stands");
    instants.push(await clock(page));
  }
  assert.equal(instants[0], instants[1]);
  assert.match(await page.locator('p[role="status"].hidden-text').first().innerText(), /a group leaves Stable/);
  await assertAccessible(page);

  // From the note to its cause, and on.
  await note(page).getByRole("button", { name: "Why" }).click();
  await page.locator(".why-chain .event").first().waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("k");
  await page.waitForFunction((stood) => {
    const [minutes, seconds] = document.querySelector(".clock").innerText.split(":");
    return (Number(minutes) * 60 + Number(seconds)) * 1_000 > stood + 200;
  }, instants[0]);
});

test("a stop at a lag, set by hand, by topic, partition and records", async (t) => {
  const { page } = await openPage(t);
  await until(page, "0:04");
  await page.locator("#stops-button").click();
  await list(page).getByRole("button", { name: "Add" }).waitFor();
  await assertAccessible(page);
  await list(page).getByRole("textbox", { name: "Partition" }).fill("77");
  await list(page).getByRole("button", { name: "Add" }).click();
  await page.locator('.toast[data-kind="refusal"]').waitFor();
  assert.match(await page.locator('.toast[data-kind="refusal"]').innerText(), /77/);
  await list(page).getByRole("textbox", { name: "Partition" }).fill("1");
  await list(page).getByRole("textbox", { name: "Records" }).fill("30");
  await list(page).getByRole("textbox", { name: "Records" }).press("Enter");
  await list(page).getByText(/The lag of .*-1 rises above 30/).waitFor();
  await page.keyboard.press("Escape");
  for (const name of ["c1", "c2", "c3"]) await member(page, name).getByRole("button", { name: "Freeze" }).click();
  await faster(page, 3);
  await note(page).waitFor({ timeout: 60_000 });
  assert.match(await note(page).innerText(), /the lag of .*-1 rises above 30/);
  await page.locator("#tab-Lag").click();

  // Taken back, it stops nothing.
  await page.locator("#stops-button").click();
  await list(page).getByRole("button", { name: "Clear all" }).click();
  assert.equal(await page.locator("#stops-button").getAttribute("data-count"), null);
});

test("the next of a kind, by mouse and by keyboard; a search ends at a press", async (t) => {
  const { page } = await openPage(t);
  await until(page, "0:04");
  await page.locator("#stops-button").click();
  for (const [name, told] of [
    ["Run until an offset is committed", /Here an offset is committed/],
    ["Run until a request or an answer is sent", /Here a request or an answer is sent/],
  ]) {
    await list(page).getByRole("button", { name }).click();
    await page.waitForFunction((told) => new RegExp(told).test(document.querySelector(".stop-note")?.innerText ?? ""), told.source);
    assert.ok(!(await isPlaying(page)));
  }
  await page.keyboard.press("Escape");
  const first = await clock(page);
  await page.keyboard.press("Shift+KeyN");
  await note(page).waitFor();
  assert.ok((await clock(page)) >= first);

  // Nobody is ever removed here: the search goes on until it is called off, or finds nothing.
  const stood = await clock(page);
  await page.keyboard.press("b");
  await list(page).getByRole("button", { name: "Run until a duplicate is delivered" }).click();
  await page.waitForFunction(() => /Running until a duplicate/.test(document.querySelector(".stop-note")?.innerText ?? ""));
  await page.keyboard.press("Escape");
  await page.keyboard.press("k");
  await note(page).waitFor({ state: "detached" });
  assert.ok(!(await isPlaying(page)), "the press ended the search and nothing else");
  assert.ok((await clock(page)) >= stood);

  await page.keyboard.press("n");
  await page.waitForFunction(() => /Running until a rebalance|Here a rebalance|Not within/.test(document.querySelector(".stop-note")?.innerText ?? ""));
});

test("stops in Korean, on a phone, by touch", async (t) => {
  const { page } = await openPage(t, { language: "ko", size: PHONE });
  await until(page, "0:03");
  await page.locator("#stops-button").tap();
  await list(page).getByText("그룹이 Stable 상태를 벗어날 때").waitFor();
  assert.ok(!(await scrollsSideways(page)));
  const box = await list(page).boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= PHONE.width && box.y >= 0, "the list is on the screen");
  await assertAccessible(page);
  await list(page).getByRole("button", { name: "다음 시점까지 실행: 오프셋이 커밋될 때" }).tap();
  await page.waitForFunction(() => /찾음: 오프셋 커밋/.test(document.querySelector(".stop-note")?.innerText ?? ""));
  await page.keyboard.press("Escape");
  assert.ok(!(await scrollsSideways(page)));
});
