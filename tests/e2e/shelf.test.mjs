// The shelf of incidents, two runs side by side, the life of a record, and the ledger's windows.

import assert from "node:assert/strict";
import test from "node:test";
import { assertAccessible, openPage, PHONE } from "./helper.mjs";

const TEXTS = {
  en: { remedy: "What would have avoided it", incidents: "Incidents", search: /^Search/, open: "Open", tryIt: "Try it: compare both runs", deliveries: "Deliveries", compare: "Compare", where: /come apart: duplicate deliveries/, minute: "Last minute", whole: "Whole run" },
  ko: { remedy: "피할 수 있었던 방법", incidents: "장애 사례", search: /^검색/, open: "열기", tryIt: "적용해 두 실행 비교", deliveries: "전달 내역", compare: "비교", where: /시점으로 이동: 중복 전달/, minute: "최근 1분", whole: "전체" },
};

async function openShelf(t, options = {}) {
  const opened = await openPage(t, options);
  await opened.page.locator(".side .try").waitFor();
  await opened.page.keyboard.press("i");
  await opened.page.locator(".shelf .card").first().waitFor();
  return { ...opened, text: TEXTS[options.language ?? "en"] };
}

const card = (page, id) => page.locator(".card", { has: page.locator("summary", { hasText: id }) });

/** One click on what would have avoided an incident; waits until both runs are at their end. */
async function compare(page, text, id) {
  await card(page, id).locator("> summary").click();
  // What would have avoided it is not told before it is asked for.
  assert.equal(await card(page, id).getByRole("button", { name: text.tryIt }).isVisible(), false);
  await card(page, id).getByText(text.remedy).click();
  await card(page, id).getByRole("button", { name: text.tryIt }).click();
  await page.locator(".differences").waitFor();
  await page.locator(".differences [data-quantity=Duplicates] button, .differences [data-quantity=Unowned]").first().waitFor({ timeout: 60_000 });
  await page.locator(".transport .play").and(page.locator("[aria-pressed=false], :not([aria-pressed])")).first().waitFor();
}

/** A quantity's numbers: here, there. */
const numbers = async (page, quantity) =>
  (await page.locator(`.differences [data-quantity=${quantity}] td`).allTextContents()).slice(0, 2);

for (const language of ["en", "ko"]) {
  test(`every card stands on the shelf, can be searched and opened (${language})`, async (t) => {
    const { page, text } = await openShelf(t, { language });
    assert.equal(await page.locator(".shelf section").count(), 7);
    assert.equal(await page.locator(".shelf .card").count(), 42);
    await page.getByRole("searchbox", { name: text.search }).fill("offsets.retention.minutes");
    assert.equal(await page.locator(".shelf .card").count(), 1);
    await page.getByRole("searchbox", { name: text.search }).fill("");
    assert.equal(await page.locator(".shelf .card").count(), 42);
    await card(page, "I-026").locator("> summary").focus();
    await page.keyboard.press("Enter");
    await card(page, "I-026").getByRole("button", { name: text.open, exact: true }).click();
    await page.locator(".shelf").waitFor({ state: "detached" });
    await page.locator(".about .question").waitFor();
    assert.match(await page.locator(".about").textContent(), language === "en" ? /delivered twice/ : /두 번 전달/);
  });

  test(`what would have avoided an incident is tried with one click (${language})`, async (t) => {
    const { page, text } = await openShelf(t, { language });
    await compare(page, text, "I-026");
    await page.waitForFunction(() => document.querySelector(".differences [data-quantity=Duplicates] td")?.textContent === "30");
    assert.deepEqual(await numbers(page, "Duplicates"), ["30", "0"]);
    assert.equal(await page.locator(".compare-strips .over-rows").count(), 2);
    await page.getByRole("button", { name: text.where }).click();
    await page.waitForFunction(() => /0:24\.000/.test(document.querySelector(".clock").textContent));
    assert.equal(await page.locator(".compare-strips .over-marks .apart").count(), 2, "marked in both strips");
  });
}

test("each card opens, with its own number of runs", async (t) => {
  const { page, text } = await openShelf(t);
  const ids = await page.locator(".shelf .card > summary .caps").allTextContents();
  for (const id of ids) {
    if (!(await page.locator(".shelf").count())) await page.keyboard.press("i");
    await card(page, id).locator("> summary").click();
    await card(page, id).getByRole("button", { name: text.open, exact: true }).click();
    await page.locator(".shelf").waitFor({ state: "detached" });
    assert.equal(await page.locator(".toast").count(), 0, id);
    const title = await page.locator(".about h2").textContent();
    assert.ok(title.length > 5, id);
  }
});

test("anything on the stage can be otherwise in the other run", async (t) => {
  const { page, text } = await openPage(t).then(({ page }) => ({ page, text: TEXTS.en }));
  await page.getByRole("tab", { name: text.compare }).click();
  await page.getByRole("button", { name: "roundrobin", exact: true }).click();
  await page.locator(".differences").waitFor();
  await page.getByRole("button", { name: "All static" }).click();
  await page.locator(".compare-strips h2", { hasText: "All static" }).waitFor();
  await page.getByRole("textbox", { name: "Value" }).fill("6000");
  await page.getByRole("textbox", { name: "Value" }).blur();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.locator(".compare-strips h2", { hasText: "session.timeout.ms 6000" }).waitFor();
  await page.getByRole("textbox", { name: "Value" }).fill("soon");
  await page.getByRole("textbox", { name: "Value" }).blur();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByRole("alert").waitFor();
});

test("a record's life is told from its cell, from a duplicate and by its offset", async (t) => {
  const { page, text } = await openShelf(t);
  await compare(page, text, "I-026");
  await page.waitForFunction(() => document.querySelector(".differences [data-quantity=Duplicates] td")?.textContent === "30");
  await page.getByRole("tab", { name: text.deliveries }).click();
  await page.getByRole("button", { name: "Life of record 100" }).click();
  const life = page.locator(".life");
  await life.locator(".event[data-level=trouble]").first().waitFor();
  assert.match(await life.textContent(), /poll\(\) returns it to c2: group g had it before/);
  await life.locator(".event button", { hasText: "had it before" }).first().click();
  await page.locator(".why-chain .event").first().waitFor();
  await page.locator(".track").first().click({ position: { x: 8, y: 5 } });
  await life.locator(".event").first().waitFor();
  await page.locator(".lane .name").first().click();
  const offset = page.getByRole("textbox", { name: "offset", exact: true });
  await offset.fill("7");
  await offset.blur();
  await page.locator(".side h2", { hasText: "record 7" }).waitFor();
});

test("the ledger counts a window, and a partition alone", async (t) => {
  const { page, text } = await openShelf(t);
  await compare(page, text, "I-030");
  await page.getByRole("tab", { name: text.deliveries }).click();
  const duplicates = page.locator("[data-figure=duplicates]");
  await page.waitForFunction(() => document.querySelector("[data-figure=duplicates]").textContent === "20");
  await page.getByRole("button", { name: "orders-5" }).click();
  assert.equal(await duplicates.textContent(), "0");
  await page.getByRole("button", { name: "orders-5" }).click();
  assert.equal(await duplicates.textContent(), "20");
  await page.getByRole("button", { name: "Last 10 s" }).click();
  const late = Number((await page.locator("[data-figure=delivered]").textContent()).replace(",", ""));
  await page.getByRole("button", { name: text.whole }).click();
  const whole = Number((await page.locator("[data-figure=delivered]").textContent()).replace(",", ""));
  assert.ok(late > 0 && late < whole, `${late} of ${whole}`);
});

for (const dark of [false, true]) {
  for (const size of [undefined, PHONE]) {
    test(`shelf, comparison, life and ledger have no accessibility violations (${dark ? "dark" : "light"}, ${size ? "phone" : "laptop"})`, async (t) => {
      const { page, text } = await openShelf(t, { dark, size });
      await card(page, "I-026").locator("> summary").click();
      await assertAccessible(page);
      await card(page, "I-026").getByText(text.remedy).click();
      await card(page, "I-026").getByRole("button", { name: text.tryIt }).click();
      await page.waitForFunction(() => document.querySelector(".differences [data-quantity=Duplicates] td")?.textContent === "30");
      await page.getByRole("button", { name: text.where }).click();
      await assertAccessible(page);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(over, 0, "nothing sticks out sideways");
      await page.getByRole("tab", { name: text.deliveries }).click();
      await page.getByRole("button", { name: "Life of record 100" }).click();
      await page.locator(".life .event").first().waitFor();
      await assertAccessible(page);
    });
  }
}
