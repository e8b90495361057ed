// Links, files, frames and reports: what one page shows, another shows.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { deflateSync } from "node:zlib";
import { assertAccessible, openPage, PHONE } from "./helper.mjs";

const TEXTS = {
  en: { share: "Share", copy: "Copy link", copied: "Copied", save: "Save file", report: "Save report", difference: /What does a real Kafka/, toPage: "Open in Regroup", notOpened: /link was not opened/, html: "Copy HTML", play: "Play", why: /end is missing/ },
  ko: { share: "공유", copy: "링크 복사", copied: "복사됨", save: "파일 저장", report: "보고 파일 저장", difference: /실제 Kafka/, toPage: "Regroup에서 열기", notOpened: /링크를 열지 못했습니다/, html: "HTML 복사", play: "재생", why: /끝부분이 없습니다/ },
};

const member = (page, name) => page.locator(`.member[data-party="client:${name}"]`);
const clock = (page) => page.locator(".clock").innerText();
const stands = (page, at) => page.waitForFunction((at) => document.querySelector(".clock")?.innerText === at, at);
const until = (page, second) =>
  page.waitForFunction((second) => document.querySelector(".clock").innerText > `0:${second}`, String(second).padStart(2, "0"));
const pack = (value) => `#s=${deflateSync(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")}`;
const over = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const mayCopy = { prepare: (context) => context.grantPermissions(["clipboard-read", "clipboard-write"]) };

/** Opens the sheet; returns the link's address and the trace's hash. */
async function share(page) {
  await page.keyboard.press("s");
  await page.locator(".share .trace code").waitFor({ timeout: 60_000 });
  return {
    address: await page.locator(".share .to-copy input").first().inputValue(),
    hash: await page.locator(".share .trace code").innerText(),
    facts: await page.locator(".share .trace .caps").innerText(),
  };
}

/** Something worth sharing: c2 was killed, a view and c1 are open, and time stands in the middle of an instant. */
async function prepare(page) {
  await until(page, 4);
  await member(page, "c2").locator(".danger").click();
  await until(page, 6);
  await page.keyboard.press("k");
  await page.keyboard.press("2");
  await member(page, "c1").locator(".name").click();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press(".");
}

async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

for (const language of ["en", "ko"]) {
  test(`a link made in one profile opens in another at the same instant with the same hash (${language})`, async (t) => {
    const ours = await openPage(t, { language, ...mayCopy });
    await prepare(ours.page);
    const made = await share(ours.page);
    const at = await clock(ours.page);
    await ours.page.getByRole("button", { name: TEXTS[language].copy, exact: true }).click();
    await ours.page.getByText(TEXTS[language].copied, { exact: true }).waitFor();
    assert.equal(await ours.page.evaluate(() => navigator.clipboard.readText()), made.address);
    assert.equal(ours.page.url(), made.address, "it can be marked");
    assert.ok(made.address.length < 500, `${made.address.length}: ${made.address}`);

    const theirs = await openPage(t, { query: new URL(made.address).hash });
    await theirs.page.getByRole("button", { name: TEXTS[language].play, exact: true }).first().waitFor();
    assert.equal(await clock(theirs.page), at);
    assert.equal(await theirs.page.locator("html").getAttribute("lang"), language);
    assert.equal(await member(theirs.page, "c2").getAttribute("data-life"), "killed");
    assert.equal(await theirs.page.locator('.tabs [aria-selected="true"]').innerText(), await ours.page.locator('.tabs [aria-selected="true"]').innerText());
    assert.equal(await theirs.page.locator(".side h2").first().innerText(), await ours.page.locator(".side h2").first().innerText());
    assert.deepEqual({ ...(await share(theirs.page)), address: "" }, { ...made, address: "" });
  });
}

test("an incident with the run in which it is avoided is shared", async (t) => {
  const { page } = await openPage(t);
  await page.keyboard.press("i");
  const card = page.locator(".card", { has: page.locator("summary", { hasText: "I-026" }) });
  await card.locator("> summary").click();
  await card.getByText("What would have avoided it").click();
  await card.getByRole("button", { name: "Try it: compare both runs" }).click();
  await page.waitForFunction(() => document.querySelector(".differences [data-quantity=Duplicates] td")?.textContent === "30");
  const made = await share(page);
  const theirs = await openPage(t, { query: new URL(made.address).hash });
  await theirs.page.waitForFunction(() => document.querySelector(".differences [data-quantity=Duplicates] td")?.textContent === "30");
  assert.equal(await clock(theirs.page), await clock(page));
  assert.equal((await share(theirs.page)).hash, made.hash);
});

for (const language of ["en", "ko"]) {
  test(`a broken link is refused in words and what runs goes on (${language})`, async (t) => {
    const { page } = await openPage(t, { language, query: "#s=eNqr" });
    const alert = page.getByRole("alert");
    await alert.waitFor();
    assert.match(await alert.innerText(), TEXTS[language].notOpened);
    assert.match(await alert.innerText(), TEXTS[language].why);
    await until(page, 1);
    assert.equal(await page.locator(".member").count(), 3);
    const named = (name) => ({ library: { name, check: 1 } });
    for (const [fragment, words] of [
      [pack(" ".repeat(3_000_000)), /1,?048,?576/],
      [pack({ format: 9 }), /9/],
      [pack({ format: 1, of: named("class-room"), open: { at: -5 } }), /open\.at/],
      [pack({ format: 1, of: { incident: { name: "../../x", check: 1 } }, open: { at: 0 } }), /\.\.\/\.\.\/x/],
      [pack({ format: 1, of: named("class-room"), open: { at: 0, page: { view: "sideways" } } }), /open\.page\.view/],
      [pack({ format: 1, of: named("class-room"), open: { at: 0 }, acts: [{ at: 1, command: {} }] }), /acts\[0\]\.command/],
    ]) {
      const before = await clock(page);
      await page.evaluate((fragment) => { location.hash = fragment; }, fragment);
      await page.waitForFunction((source) => new RegExp(source).test(document.querySelector(".toast")?.innerText), words.source);
      await page.waitForFunction((before) => document.querySelector(".clock").innerText > before, before);
    }
  });
}

test("a changed address opens at once, and a changed scenario is told", async (t) => {
  const { page } = await openPage(t);
  const link = { format: 1, of: { library: { name: "two-groups", check: 1 } }, open: { at: "4000.001", page: { view: "events" } } };
  await page.evaluate((fragment) => { location.hash = fragment; }, pack(link));
  await stands(page, "0:04.000");
  assert.equal(await page.locator(".group").count(), 2);
  assert.match(await page.getByRole("status").filter({ hasText: "has changed" }).innerText(), /may differ/);
});

test("a link far into a run shows how it gets there, and stands still", async (t) => {
  const { page } = await openPage(t, { query: pack({ format: 1, of: { library: { name: "class-room", check: 1 } }, open: { at: 900_000 } }) });
  await page.waitForFunction(() => document.querySelector(".clock").innerText === "15:00.000", null, { timeout: 120_000 });
  await page.getByRole("button", { name: "Play", exact: true }).first().waitFor();
});

test("a file holds the instant, is opened twice and dropped", async (t) => {
  const { page } = await openPage(t);
  await prepare(page);
  const made = await share(page);
  const at = await clock(page);
  const file = await saved(page, () => page.getByRole("button", { name: TEXTS.en.save, exact: true }).click());
  assert.equal(file.name, "regroup-scenario.json");
  const content = JSON.parse(file.bytes.toString());
  assert.equal(content.acts.length, 1);
  assert.ok(Number(content.open.at) > 6_000);
  await page.keyboard.press("Escape");
  const chosen = { name: "saved.json", mimeType: "application/json", buffer: file.bytes };
  for (let time = 0; time < 2; time += 1) {
    await page.keyboard.press("k");
    await page.waitForFunction((at) => document.querySelector(".clock").innerText > at, at);
    await page.keyboard.press("o");
    await page.locator('input[type="file"]').setInputFiles(chosen);
    await stands(page, at);
  }
  assert.equal((await share(page)).hash, made.hash);
  await page.keyboard.press("Escape");
  await page.keyboard.press("k");
  await page.waitForFunction((at) => document.querySelector(".clock").innerText > at, at);
  const data = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "saved.json", { type: "application/json" }));
    return data;
  }, file.bytes.toString());
  await page.dispatchEvent(".page", "drop", { dataTransfer: data });
  await stands(page, at);
});

for (const language of ["en", "ko"]) {
  test(`a difference is reported in one file, which opens again (${language})`, async (t) => {
    const text = TEXTS[language];
    const { page } = await openPage(t, { language });
    await prepare(page);
    const made = await share(page);
    await page.getByRole("textbox", { name: text.difference }).fill("It answers 27.");
    const file = await saved(page, () => page.getByRole("button", { name: text.report }).click());
    assert.equal(file.name, "regroup-report.json");
    const { report, seed = 1, acts, open } = JSON.parse(file.bytes.toString());
    assert.equal(report.trace_hash, made.hash);
    assert.equal(report.difference, "It answers 27.");
    assert.match(report.program, /^\d+\.\d+\.\d+/);
    assert.ok(seed >= 1 && acts.length === 1 && open.at && open.page.selection.client === "c1");
    await page.keyboard.press("Escape");
    await page.keyboard.press("o");
    await page.locator('input[type="file"]').setInputFiles({ name: file.name, mimeType: "application/json", buffer: file.bytes });
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal((await share(page)).hash, made.hash);
  });
}

test("what is too long for a link is offered as a file", async (t) => {
  const { page } = await openPage(t);
  await page.keyboard.press("o");
  const { bytes } = await saved(page, () => page.getByRole("button", { name: /Save what runs/ }).click());
  const file = JSON.parse(bytes.toString());
  // Words that do not fold up.
  let state = 7;
  const word = () => Array.from({ length: 12 }, () => { state = (state * 48_271) % 2_147_483_647; return (state % 36).toString(36); }).join("");
  file.acts = Array.from({ length: 900 }, (_, index) => ({ at: index * 10, command: { send_record: { actor: "p1", key: word() } } }));
  delete file.open;
  await page.locator('input[type="file"]').setInputFiles({ name: "long.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(file)) });
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("s");
  assert.match(await page.locator(".share .too-long").innerText(), /more than 8,000/);
  assert.equal(await page.getByRole("button", { name: TEXTS.en.copy, exact: true }).count(), 0);
  await page.getByRole("button", { name: TEXTS.en.save, exact: true }).waitFor();
});

test("by keyboard alone: share, copy, close", async (t) => {
  const { page } = await openPage(t, mayCopy);
  await until(page, 1);
  const button = page.getByRole("button", { name: TEXTS.en.share, exact: true });
  await button.focus();
  await page.keyboard.press("Enter");
  await page.locator(".share .trace code").waitFor();
  const focused = () => page.evaluate(() => document.activeElement.textContent.trim());
  for (let tab = 0; tab < 6 && (await focused()) !== TEXTS.en.copy; tab += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText(TEXTS.en.copied, { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.ok(await button.evaluate((button) => button === document.activeElement), "the focus is back");
});

for (const language of ["en", "ko"]) {
  test(`a frame has the stage, the time bar and the way to the page (${language})`, async (t) => {
    const ours = await openPage(t, { language });
    await prepare(ours.page);
    const made = await share(ours.page);
    const html = await ours.page.locator(".share .to-copy input").nth(1).inputValue();
    const source = html.match(/src="([^"]*)"/)[1].replaceAll("&amp;", "&");
    const { page, context } = await openPage(t, { size: { width: 760, height: 480 }, query: `?embed=1${new URL(source).hash}` });
    assert.equal(new URL(source).search, "?embed=1");
    await stands(page, await clock(ours.page));
    assert.equal(await page.locator(".strip, .side, .caption").count(), 0);
    assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
    assert.equal(await page.getByRole("main").count(), 1);
    assert.equal(await over(page), 0);
    await assertAccessible(page);
    for (const key of ["s", "o", "i", "?"]) await page.keyboard.press(key);
    assert.equal(await page.getByRole("dialog").count(), 0);
    const [full] = await Promise.all([context.waitForEvent("page"), page.getByRole("link", { name: TEXTS[language].toPage }).click()]);
    await stands(full, await clock(page));
    assert.equal((await share(full)).hash, made.hash);
  });
}

for (const dark of [false, true]) {
  for (const size of [undefined, PHONE]) {
    test(`the sheet and the frame have no accessibility violations (${dark ? "dark" : "light"}, ${size ? "phone" : "laptop"})`, async (t) => {
      const { page } = await openPage(t, { dark, size });
      await until(page, 1);
      await page.getByRole("button", { name: TEXTS.en.share, exact: true }).click();
      await page.locator(".share .trace code").waitFor();
      await assertAccessible(page);
      assert.equal(await over(page), 0, "nothing sticks out sideways");
      const framed = await openPage(t, { dark, size, query: "?embed=1" });
      await framed.page.locator(".member").first().waitFor();
      await assertAccessible(framed.page);
      assert.equal(await over(framed.page), 0, "nothing sticks out sideways");
    });
  }
}
