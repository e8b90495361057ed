// The assignor lab: results side by side, the account of one, editing, and switching a group's assignor.

import assert from "node:assert/strict";
import test from "node:test";
import { assertAccessible, openPage, PHONE } from "./helper.mjs";

const TEXTS = {
  en: { lab: "Assignor lab", third: "A third member joins", large: "1,000 members, 10,000 partitions", next: "Next step", moved: "Moved between members" },
  ko: { lab: "할당 실험실", third: "세 번째 멤버 참여", large: "멤버 1,000개, 파티션 10,000개", next: "다음 단계", moved: "멤버 사이 이동" },
};

async function openLab(t, options = {}) {
  const opened = await openPage(t, options);
  const text = TEXTS[options.language ?? "en"];
  await opened.page.getByRole("tab", { name: text.lab }).click();
  await opened.page.locator(".lab-sums td").first().waitFor();
  return { ...opened, text };
}

/** Numbers in a member's cell under an assignor, as they stand there. */
const cell = (page, row, column) =>
  page.locator(`.lab-results tbody:not(.lab-sums) tr:nth-child(${row}) td:nth-of-type(${column}) .lab-chip`).evaluateAll(
    (chips) => chips.map((chip) => chip.firstChild.textContent.trim()),
  );

const done = (page) => page.waitForFunction(() => document.querySelector(".lab-walk")
  && ![...document.querySelectorAll(".lab-sums td")].some((cell) => cell.textContent === "…"));

for (const language of ["en", "ko"]) {
  test(`a third member joins as the worked table says (${language})`, async (t) => {
    const { page, text } = await openLab(t, { language });
    await page.getByRole("button", { name: text.third }).click();
    await done(page);
    // range, roundrobin, sticky, cooperative-sticky
    assert.deepEqual(await Promise.all([1, 2, 3, 4].map((column) => cell(page, 1, column))), [["0", "1"], ["0", "3"], ["0", "2"], ["0", "2"]]);
    assert.deepEqual(await Promise.all([1, 2, 3, 4].map((column) => cell(page, 3, column))), [["4", "5"], ["2", "5"], ["4", "5"], ["4", "5"]]);
    const moved = page.locator(".lab-sums tr", { hasText: text.moved }).locator("td");
    assert.deepEqual((await moved.allTextContents()).slice(0, 4), ["3", "4", "2", "2"]);
    assert.equal(await page.locator(".lab-results td:nth-of-type(4) .lab-chip[data-kind=later]").count(), 2, "held back for a round");
  });
}

test("the account is walked through by button and by key", async (t) => {
  const { page, text } = await openLab(t);
  await page.getByRole("button", { name: text.third }).click();
  await done(page);
  const sentence = page.locator(".lab-sentence");
  const first = await sentence.textContent();
  await page.getByRole("button", { name: text.next }).click();
  assert.notEqual(await sentence.textContent(), first);
  await page.getByRole("slider", { name: /How cooperative-sticky/ }).focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => /t-5 is held back/.test(document.querySelector(".lab-sentence").textContent));
  assert.equal(await page.locator(".lab-board .lab-chip[data-focus=true]").count(), 1);
  await page.locator(".lab-sentence").click();
  await page.keyboard.press("[");
  await page.waitForFunction(() => /t-4 is held back/.test(document.querySelector(".lab-sentence").textContent));
});

test("an edit is computed at once, and one without sense is refused in words", async (t) => {
  const { page } = await openLab(t);
  await page.getByRole("button", { name: "Two topics, two consumers" }).click();
  await done(page);
  await page.locator(".lab-editor summary").click();
  const subscription = page.getByRole("textbox", { name: "topics of C2" });
  await subscription.fill("T2");
  await subscription.blur();
  await done(page);
  assert.deepEqual(await cell(page, 2, 1), ["2"], "range gives C2 the last of T2");
  await subscription.fill("nothing");
  await subscription.blur();
  assert.match(await page.getByRole("alert").textContent(), /no topic nothing/);
});

test("the large group is counted whole, and how long its tasks took is told", async (t) => {
  const { page, text } = await openLab(t);
  await page.evaluate(() => {
    globalThis.frames = [];
    let last = performance.now();
    const frame = (now) => { globalThis.frames.push(now - last); last = now; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
    globalThis.long = [];
    new PerformanceObserver((list) => globalThis.long.push(...list.getEntries().map((entry) => Math.round(entry.duration)))).observe({ entryTypes: ["longtask"] });
  });
  await page.getByRole("button", { name: text.large }).click();
  await done(page);
  const measured = await page.evaluate(() => ({ long: globalThis.long, longest: Math.max(...globalThis.frames) }));
  t.diagnostic(`long tasks ${JSON.stringify(measured.long)} ms, longest frame ${Math.round(measured.longest)} ms`);
  const moved = page.locator(".lab-sums tr", { hasText: text.moved }).locator("td.number");
  assert.deepEqual(await moved.allTextContents(), ["9,982", "9,001", "10", "10", "10", "9,982"]);
});

test("the vote is shown, and a list of two can be rolled out", async (t) => {
  const { page } = await openPage(t);
  await page.locator(".group .name").first().click();
  const vote = page.locator(".vote");
  await vote.waitFor();
  await page.locator(".upgrade summary").click();
  await page.getByRole("button", { name: "2. Only cooperative-sticky" }).click();
  await page.locator(".button", { hasText: "Rolling change" }).click();
  assert.equal(await page.locator(".toast").filter({ hasText: "assignor" }).count(), 0);
});

for (const dark of [false, true]) {
  test(`the lab has no accessibility violations (${dark ? "dark" : "light"})`, async (t) => {
    const { page, text } = await openLab(t, { dark });
    await page.getByRole("button", { name: text.third }).click();
    await done(page);
    await page.locator(".lab-editor summary").click();
    await assertAccessible(page);
  });
}

test("on a phone the lab does not stick out sideways", async (t) => {
  const { page, text } = await openLab(t, { size: PHONE });
  await page.getByRole("button", { name: text.third }).click();
  await done(page);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(over, 0);
});
