// What a person does with the page: by mouse, by touch, by keyboard, in both languages.

import assert from "node:assert/strict";
import test from "node:test";
import { assertAccessible, openPage, PHONE } from "./helper.mjs";

const member = (page, name) => page.locator(`.member[data-party="client:${name}"]`);
const playButton = (page) => page.locator(".transport .play");

/** The clock in seconds. */
async function clock(page) {
  const text = await page.locator(".clock").innerText();
  const [minutes, seconds] = text.split(":");
  return Number(minutes) * 60 + Number(seconds);
}

/** Lets time stand, if it runs. */
async function pause(page) {
  if ((await playButton(page).getAttribute("aria-label")) === "Pause") await playButton(page).click();
}

/** Chooses a speed by pressing a button until the output shows it. */
async function speed(page, wanted) {
  for (let press = 0; press < 12; press += 1) {
    const shown = await page.locator(".speed output").innerText();
    if (shown === wanted) return;
    await page.locator(".speed button").last().click();
    await page.waitForFunction((shown) => document.querySelector(".speed output").innerText !== shown, shown);
  }
  throw new Error(`the speed ${wanted} was not reached`);
}

test("the start screen is already moving", async (t) => {
  const { page } = await openPage(t);
  await page.waitForFunction(() => document.querySelectorAll(".member .chip").length === 6);
  const before = await clock(page);
  await page.waitForFunction((before) => {
    const [minutes, seconds] = document.querySelector(".clock").innerText.split(":");
    return Number(minutes) * 60 + Number(seconds) > before + 0.5;
  }, before);
});

test("kill, see the partitions unowned, see who gets them and why, count the duplicates", async (t) => {
  const { page } = await openPage(t);
  await page.waitForFunction(() => document.querySelector(".clock").innerText > "0:07");
  await member(page, "c2").getByRole("button", { name: "Kill" }).click();
  await page.locator('.tray[data-empty="false"]').waitFor();
  assert.equal(await member(page, "c2").getAttribute("data-life"), "killed");
  assert.equal(await page.locator(".tray .chip").count(), 2);
  assert.match(await page.locator(".caption").innerText(), /c2 was killed/);

  await speed(page, "5×");
  await page.locator('.tray[data-empty="true"]').waitFor({ timeout: 30_000 });
  await pause(page);
  assert.equal(await page.locator('.member[data-life="running"] .chip').count(), 6);

  await page.getByRole("tab", { name: "Deliveries" }).click();
  await playButton(page).click();
  await page.locator('.figure[data-bad="true"] [data-figure="duplicates"]').waitFor({ timeout: 30_000 });
  await pause(page);
  const total = Number(await page.locator('[data-figure="duplicates"]').innerText());
  const counts = await page.locator(".deliveries .figures:not(.ledger) tbody tr td:nth-child(4)").allInnerTexts();
  assert.equal(counts.reduce((sum, count) => sum + Number(count), 0), total);

  await page.locator(".deliveries .figures:not(.ledger) td:last-child .link").first().click();
  const why = page.locator(".why-chain .event");
  await why.first().waitFor();
  assert.match(await why.last().innerText(), /You kill c2/);
});

test("add a consumer, then close it", async (t) => {
  const { page } = await openPage(t);
  await page.getByRole("button", { name: "Add consumer" }).first().click();
  await member(page, "c4").waitFor();
  await speed(page, "10×");
  await page.waitForFunction(
    () => document.querySelectorAll('.member[data-party="client:c4"] .chip').length > 0,
    undefined,
    { timeout: 30_000 },
  );
  await member(page, "c4").getByRole("button", { name: "Close" }).click();
  await page.locator('.member[data-party="client:c4"][data-life="closed"]').waitFor({ timeout: 30_000 });
});

test("pause stops time, a step moves it by one event, back takes it back", async (t) => {
  const { page } = await openPage(t);
  await page.waitForFunction(() => document.querySelector(".clock").innerText > "0:02");
  await pause(page);
  const stood = await clock(page);
  await page.waitForTimeout(300);
  assert.equal(await clock(page), stood);
  await page.getByRole("button", { name: "Step one event" }).click();
  await page.getByRole("button", { name: "Step one event" }).click();
  const stepped = await clock(page);
  assert.ok(stepped >= stood);
  await page.getByRole("button", { name: "Step back" }).click();
  assert.ok((await clock(page)) <= stepped);
});

test("going back shows the past, acting there drops the future, undo brings it back", async (t) => {
  const { page } = await openPage(t);
  await page.waitForFunction(() => document.querySelector(".clock").innerText > "0:05");
  await pause(page);
  await page.locator(".scrubber input").fill("50");
  assert.ok((await clock(page)) < 4);
  await member(page, "c1").getByRole("button", { name: "Freeze" }).click();
  await page.locator('.toast[data-kind="fork"]').waitFor();
  assert.equal(await member(page, "c1").getAttribute("data-life"), "frozen");
  await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
  assert.equal(await member(page, "c1").getAttribute("data-life"), "running");
});

test("everything speaks Korean at the press of a button, and remembers it", async (t) => {
  const { page } = await openPage(t);
  await page.getByRole("button", { name: "한국어" }).click();
  await page.getByRole("heading", { name: "프로듀서" }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "ko");
  await page.reload();
  await page.getByRole("heading", { name: "프로듀서" }).waitFor();
});

test("the keyboard alone is enough", async (t) => {
  const { page } = await openPage(t);
  await page.keyboard.press("k");
  await page.getByRole("button", { name: "Play" }).waitFor();
  await page.keyboard.press("3");
  await page.getByRole("tab", { name: "Events", selected: true }).waitFor();
  await page.keyboard.press("a");
  await member(page, "c4").waitFor();
  await page.keyboard.press("u");
  await member(page, "c4").waitFor({ state: "detached" });
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await member(page, "c3").getByRole("button", { name: "Kill" }).focus();
  await page.keyboard.press("Enter");
  await page.locator('.member[data-party="client:c3"][data-life="killed"]').waitFor();
});

test("a bad scenario file is refused in words, and what runs goes on", async (t) => {
  const { page } = await openPage(t);
  for (const [name, text] of [
    ["broken.json", "{"],
    ["wrong.json", '{"version": 1, "title": 5}'],
    ["old.json", '{"version": 99}'],
    ["huge.json", " ".repeat(1_200_000)],
  ]) {
    await page.keyboard.press("o");
    await page.locator('input[type="file"]').setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
    const alert = page.locator('.toast[role="alert"]');
    await alert.waitFor();
    assert.match(await alert.innerText(), /was not opened/, name);
    await page.keyboard.press("Escape");
    await alert.waitFor({ state: "detached" });
    assert.equal(await page.locator(".member").count(), 3, name);
  }
  const before = await clock(page);
  await page.waitForFunction((before) => Number(document.querySelector(".clock").innerText.split(":")[1]) > before, before);
});

test("what runs can be saved and opened again", async (t) => {
  const { page } = await openPage(t);
  await member(page, "c2").getByRole("button", { name: "Kill" }).click();
  await page.keyboard.press("o");
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: /Save what runs/ }).click();
  const stream = await (await waiting).createReadStream();
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  const saved = Buffer.concat(chunks);
  assert.equal(JSON.parse(saved.toString()).acts.length, 1);
  await page.locator('input[type="file"]').setInputFiles({ name: "saved.json", mimeType: "application/json", buffer: saved });
  await page.locator('.member[data-party="client:c2"][data-life="killed"]').waitFor({ timeout: 30_000 });
});

test("every scenario of the library starts, with all its variants", async (t) => {
  const { page } = await openPage(t);
  await page.keyboard.press("o");
  await page.locator(".library button").first().waitFor();
  const count = await page.locator(".library button").count();
  assert.ok(count >= 7);
  await page.keyboard.press("Escape");
  for (let index = 0; index < count; index += 1) {
    await page.keyboard.press("o");
    await page.locator(".library button").nth(index).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator(".group").first().waitFor();
    assert.equal(await page.locator(".toast").count(), 0);
  }
});

test("an illegal configuration is refused in words and not taken", async (t) => {
  const { page } = await openPage(t);
  await member(page, "c1").locator(".name").click();
  const field = page.locator(".config").filter({ hasText: "session.timeout.ms" }).locator("input");
  await field.fill("abc");
  await field.press("Enter");
  await page.locator('.field-error[role="alert"]').waitFor();
  assert.match(await page.locator(".field-error").innerText(), /session\.timeout\.ms/);
});

test("with reduced motion nothing flies", async (t) => {
  const { page } = await openPage(t, { reducedMotion: true });
  await page.waitForFunction(() => document.querySelectorAll(".member .chip").length === 6);
  const flying = await page.evaluate(() => document.getAnimations().filter((animation) => animation.effect?.getTiming().duration === 260).length);
  assert.equal(flying, 0);
});

test("nothing shifts while time runs", async (t) => {
  const { page } = await openPage(t);
  await page.waitForFunction(() => document.querySelectorAll(".member .chip").length === 6);
  const places = () => page.evaluate(() => [...document.querySelectorAll(".broker, .member, .producer, .strip, .timebar, .tray")]
    .map((element) => { const box = element.getBoundingClientRect(); return [box.x, box.y, box.width, box.height].map(Math.round).join(); }));
  const before = await places();
  await page.waitForTimeout(2_000);
  assert.deepEqual(await places(), before);
});

for (const language of ["en", "ko"]) {
  test(`on a phone a consumer can be killed by touch (${language})`, async (t) => {
    const { page } = await openPage(t, { size: PHONE, language });
    await member(page, "c2").locator(".danger").tap();
    await page.locator('.tray[data-empty="false"]').waitFor();
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(over, 0);
  });
}

for (const dark of [false, true]) {
  test(`every view, the inspector and the sheets have no accessibility violations (${dark ? "dark" : "light"})`, async (t) => {
    const { page } = await openPage(t, { dark });
    await page.waitForFunction(() => document.querySelectorAll(".member .chip").length === 6);
    await member(page, "c2").getByRole("button", { name: "Kill" }).click();
    await page.keyboard.press("k");
    const views = Math.min(await page.getByRole("tab").count(), 9);
    for (let view = 1; view <= views; view += 1) {
      await page.keyboard.press(String(view));
      await assertAccessible(page);
    }
    await page.keyboard.press("1");
    await member(page, "c1").locator(".name").click();
    await assertAccessible(page);
    for (const key of ["o", "?"]) {
      await page.keyboard.press(key);
      await page.getByRole("dialog").waitFor();
      await assertAccessible(page);
      await page.keyboard.press("Escape");
    }
  });
}
