// The three journeys of docs/journeys.md, each from an empty profile.

import assert from "node:assert/strict";
import test from "node:test";
import { openPage } from "./helper.mjs";

const member = (page, name) => page.locator(`.member[data-party="client:${name}"]`);

/** Waits until virtual time has come to `seconds`. */
const until = (page, seconds) =>
  page.waitForFunction((seconds) => {
    const [minutes, rest] = document.querySelector(".clock").innerText.split(":");
    return Number(minutes) * 60 + Number(rest) >= seconds;
  }, seconds, { timeout: 120_000 });

/** Opens a scenario of the library, or one of its variants, by its title. */
async function open(page, title, variant) {
  await page.keyboard.press("o");
  const entry = page.locator(".library li", { hasText: title });
  const button = variant ? entry.getByRole("button", { name: variant }) : entry.getByRole("button");
  await button.first().click();
  await page.locator(".sheet").waitFor({ state: "detached" });
  await page.locator(".about h2", { hasText: title }).waitFor();
}

/** A quantity of the comparison: here, there. */
const numbers = async (page, quantity) =>
  (await page.locator(`.differences [data-quantity=${quantity}] td`).allTextContents()).slice(0, 2);

/** Runs both to the end of the scenario. */
async function toEnd(page, name) {
  await page.getByRole("button", { name }).click();
  await page.locator(".transport .play").and(page.locator('[aria-label*="Play"], [aria-label*="재생"]')).waitFor({ timeout: 120_000 });
}

for (const [language, text] of Object.entries({
  en: { title: "Eager or cooperative", eager: "Eager (range)", compare: "Compare", cooperative: "Cooperative (cooperative-sticky)", end: "Run to the end" },
  ko: { title: "eager 리밸런스와 cooperative 리밸런스", eager: "eager: range", compare: "비교", cooperative: "cooperative: cooperative-sticky", end: "끝까지 실행" },
})) {
  test(`a trainer shows eager against cooperative (${language})`, async (t) => {
    const { page } = await openPage(t, { language });
    await open(page, text.title, text.eager);
    // The class says first which partitions will stop; then the third consumer joins.
    await until(page, 9.5);
    await page.keyboard.press("k");
    assert.equal(await member(page, "c3").locator(".chip").count(), 0);
    await page.keyboard.press("n");
    await page.locator('.state[data-state="PreparingRebalance"], .state[data-state="CompletingRebalance"]').first().waitFor({ timeout: 60_000 });
    await page.keyboard.press("n");
    await page.locator('.state[data-state="Stable"]').waitFor({ timeout: 60_000 });
    await page.keyboard.press("k");
    await page.waitForFunction(() => document.querySelectorAll('.member[data-party="client:c3"] .chip').length === 2, null, { timeout: 60_000 });
    // All six rows were dark for a while. The same history, cooperatively:
    await page.getByRole("tab", { name: text.compare }).click();
    await page.getByRole("button", { name: text.cooperative }).click();
    await page.locator(".differences").waitFor();
    await toEnd(page, text.end);
    assert.deepEqual(await numbers(page, "Rebalances"), ["1", "2"]);
    assert.deepEqual(await numbers(page, "Revoked"), ["6", "2"]);
    assert.equal(await page.locator(".compare-strips .over-rows").count(), 2);
  });
}

test("a learner sees why five consumers on three partitions leave two idle", async (t) => {
  const { page } = await openPage(t);
  await open(page, "Five consumers, three partitions");
  await until(page, 12);
  await page.keyboard.press("k");
  const owned = await Promise.all(["c1", "c2", "c3", "c4", "c5"].map((name) => member(page, name).locator(".chip").count()));
  assert.deepEqual(owned, [1, 1, 1, 0, 0]);
  // What Kafka's own tool says of it.
  await page.locator("#tab-Table").click();
  await page.locator(".tool").waitFor();
  // How the assignor came to it, step by step.
  await page.locator("#tab-Lab").click();
  await page.locator(".lab-sums td").first().waitFor();
  await page.locator(".lab-walk, .lab-sentence").first().waitFor();
  // An idle one is no waste when another one goes: c2 is closed at 20 s, and c4 has its partition.
  await page.keyboard.press("k");
  await until(page, 22);
  await page.waitForFunction(() => document.querySelectorAll('.member[data-party="client:c4"] .chip').length === 1, null, { timeout: 60_000 });
  assert.equal(await member(page, "c5").locator(".chip").count(), 0);
});

test("an engineer replays her incident and tries a shorter timeout", async (t) => {
  const { page } = await openPage(t);
  await page.locator("button.scenario").click();
  await page.getByRole("button", { name: "Bring your own" }).click();
  await page.getByRole("textbox", { name: "Configuration or output" }).fill([
    "group.id=payments",
    "group.instance.id=payments-0",
    "session.timeout.ms=45000",
    "heartbeat.interval.ms=3000",
    "partition.assignment.strategy=org.apache.kafka.clients.consumer.RangeAssignor",
  ].join("\n"));
  await page.getByRole("button", { name: "Open the scenario" }).click();
  await page.locator(".sheet").waitFor({ state: "detached" });
  await page.waitForFunction(() => document.querySelectorAll(".member").length > 0);
  await page.locator('.state[data-state="Stable"]').waitFor({ timeout: 60_000 });
  await until(page, 10);
  // The pod dies: nobody is told, and its static place is kept.
  await page.locator(".member .danger").first().click();
  await page.keyboard.press("+");
  await page.locator('.tray[data-empty="false"]').waitFor({ timeout: 60_000 });
  await page.locator("#tab-Compare").click();
  await page.getByRole("textbox", { name: "Value" }).fill("15000");
  await page.getByRole("textbox", { name: "Value" }).blur();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.locator(".compare-strips h2", { hasText: "session.timeout.ms 15000" }).waitFor();
  await until(page, 70);
  await page.keyboard.press("k");
  const [here, there] = (await numbers(page, "Unowned")).map((text) => Number.parseFloat(text));
  assert.ok(there < here, `unowned ${there} instead of ${here}`);
});
