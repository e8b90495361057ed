// A client's log and code in the inspector, and a scenario from a reader's own configuration.

import assert from "node:assert/strict";
import test from "node:test";
import { assertAccessible, openPage, PHONE } from "./helper.mjs";

const TEXTS = {
  en: { log: "The client's log", coordinator: "The coordinator's log", code: "Code", copyCode: "Copy code", copied: "Copied", bring: "Bring your own", open: "Open the scenario", field: "Configuration or output", dependsNot: "Nothing here depends on it.", rate: "at most 1,000,000 per second" },
  ko: { log: "클라이언트 로그", coordinator: "코디네이터 로그", code: "코드", copyCode: "코드 복사", copied: "복사됨", bring: "내 설정 가져오기", open: "시나리오 열기", field: "설정 또는 출력", dependsNot: "여기서는 동작에 영향이 없습니다.", rate: "초당 최대 1,000,000건" },
};

/** A page with one consumer more, so that the others join anew, and with `c2` in the inspector. */
async function openConsumer(t, options = {}) {
  const opened = await openPage(t, options);
  const { page } = opened;
  await page.locator(".group .add").first().click();
  await page.locator(".member .name", { hasText: "c2" }).click();
  await page.locator("details.client-log").waitFor();
  return { ...opened, text: TEXTS[options.language ?? "en"] };
}

for (const language of ["en", "ko"]) {
  for (const size of [undefined, PHONE]) {
    test(`a consumer that joins has the Java client's words in its log (${language}, ${size ? "phone" : "desktop"})`, async (t) => {
      const { page, text } = await openConsumer(t, {
        language,
        ...(size && { size }),
      });
      const log = page.locator("details.client-log");
      await log.locator("summary", { hasText: text.log }).click();
      await log.locator("li", { hasText: "(Re-)joining group" }).first().waitFor();
      await log.locator("li", { hasText: "Successfully joined group with generation Generation{generationId=" }).first().waitFor();
      await log.locator("li", { hasText: "Adding newly assigned partitions: " }).first().waitFor();
      await assertAccessible(page);
      await log.locator("li button", { hasText: "(Re-)joining group" }).last().click();
      await page.locator(".why-chain .event").first().waitFor();
    });
  }

  test(`the code follows the settings, in both languages (${language})`, async (t) => {
    const { page, context, text } = await openConsumer(t, { language });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const code = page.locator("details.client-code");
    await code.locator("summary").click();
    await code.locator("pre", { hasText: "KafkaConsumer<String, String> consumer" }).waitFor();
    await code.getByRole("button", { name: "Python" }).click();
    await code.locator("pre", { hasText: "consumer = Consumer({" }).waitFor();
    await code.getByRole("button", { name: text.copyCode }).click();
    await code.getByRole("status").filter({ hasText: text.copied }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await code.locator("pre").textContent());
    await page.keyboard.press("Escape");
    await assertAccessible(page);
  });

  test(`a pasted configuration becomes a scenario, and says what was not used (${language})`, async (t) => {
    const { page } = await openPage(t, { language });
    const text = TEXTS[language];
    await page.locator("button.scenario").click();
    await page.getByRole("button", { name: text.bring }).click();
    const field = page.getByRole("textbox", { name: text.field });
    await field.fill("spring:\n  kafka:\n    bootstrap-servers: kafka:9092\n    consumer:\n      group-id: payments\n    listener:\n      concurrency: 2\n");
    await page.locator(".unused-lines li", { hasText: text.dependsNot }).waitFor();
    assert.equal(await page.locator(".unused-lines li").count(), 1);
    await assertAccessible(page);
    await page.getByRole("button", { name: text.open }).click();
    await page.locator(".sheet").waitFor({ state: "detached" });
    await page.getByText("payments").first().waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".member").length === 2);
  });
}

test("a group's description becomes that group, on a phone too", async (t) => {
  const { page } = await openPage(t, { size: PHONE });
  await page.locator("button.scenario").click();
  await page.getByRole("button", { name: TEXTS.en.bring }).click();
  await page.getByRole("textbox", { name: TEXTS.en.field }).fill(
    "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\nnight jobs 0 5 9 4 app-1-x /10.0.0.1 app-1\nnight jobs 1 7 7 0 app-2-y /10.0.0.2 app-2\nwhat is this\n",
  );
  await page.locator(".unused-lines li", { hasText: "what is this" }).waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: TEXTS.en.open }).click();
  await page.waitForFunction(() => document.querySelectorAll(".member").length === 2);
});

test("a configuration that Kafka refuses is refused in its words, and nothing is opened", async (t) => {
  const { page } = await openPage(t);
  await page.locator("button.scenario").click();
  await page.getByRole("button", { name: TEXTS.en.bring }).click();
  await page.getByRole("textbox", { name: TEXTS.en.field }).fill("group.id=shop\nsession.timeout.ms=1000\nheartbeat.interval.ms=3000\n");
  await page.locator(".brought .field-error", { hasText: /heartbeat\.interval\.ms must be (lower than|below) session\.timeout\.ms/ }).waitFor();
  assert.equal(await page.getByRole("button", { name: TEXTS.en.open }).count(), 0);
});

for (const language of ["en", "ko"]) {
  test(`a rate that no clock can count is refused in words (${language})`, async (t) => {
    const { page } = await openPage(t, { language });
    await page.locator(".producer .name").first().click();
    const field = page.locator(".field-row", { hasText: language === "ko" ? /^속도/ : /^rate/ }).locator("input").first();
    await field.fill("99999999");
    await field.press("Enter");
    await page.locator(".field-error", { hasText: TEXTS[language].rate }).waitFor();
  });
}
