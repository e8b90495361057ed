// Requests and responses: over time, filtered, taken apart, saved as a capture and opened again.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { assertAccessible, openPage, PHONE } from "./helper.mjs";

const TEXTS = {
  en: { tab: "Messages", apis: "APIs", filter: "Filter", save: "Save as pcap", open: "Open a capture", paste: "Paste a hex dump", read: "Read", copy: "Copy as hex", response: "Response", list: "Requests", party: "Party", pause: "Pause", close: "Close the capture" },
  ko: { tab: "요청과 응답", apis: "API", filter: "필터", save: "pcap 저장", open: "캡처 파일 열기", paste: "16진수 붙여넣기", read: "읽기", copy: "16진수 복사", response: "응답", list: "요청", party: "참여자", pause: "일시정지", close: "캡처 닫기" },
};

// The heartbeat of a captured crash and its answer: packets p29 and p30 of tests/data/wire.
const HEARTBEAT = "0000006c000c00030000000c0011746869735f69735f636c69656e745f696400116d792d636f6e73756d65722d67726f7570000000130036746869735f69735f636c69656e745f69642d37623630316466312d623431302d343834342d396233642d343838376530386437313663ffff";
const ANSWER = "0000000a0000000c00000000001b";

async function openMessages(t, options = {}) {
  const opened = await openPage(t, options);
  const text = TEXTS[options.language ?? "en"];
  await opened.page.getByRole("tab", { name: text.tab, exact: true }).click();
  // c1's heartbeat comes within the first second of the class room.
  await opened.page.locator(".request").first().waitFor();
  return { ...opened, text };
}

/** Runs until a group was rebalanced after a kill, and stands still there. */
async function afterKill(page) {
  await page.getByRole("tab").first().click();
  await page.getByRole("button", { name: /(Kill c2|c2 강제 종료)/ }).first().click();
  // A search goes on frame by frame, and ends at any press: each is waited for.
  await page.keyboard.press("n");
  await page.locator('.state[data-state="PreparingRebalance"]').waitFor();
  await page.locator(".stop-note .button").first().waitFor();
  await page.keyboard.press("n");
  await page.locator('.state[data-state="Stable"]').waitFor();
  await page.locator(".stop-note .button").first().waitFor();
}

const lines = (page) => page.locator(".messages-list:not(.capture) .request");

for (const language of ["en", "ko"]) {
  test(`a rebalance is seen message by message, its errors by name and number (${language})`, async (t) => {
    const { page, text } = await openMessages(t, { language });
    await afterKill(page);
    await page.getByRole("tab", { name: text.tab, exact: true }).click();
    await page.locator(".arrow[data-kind=error]").first().waitFor();
    const words = await page.locator(".arrow[data-kind=error] text").allTextContents();
    assert.ok(words.every((word) => word === "27 REBALANCE_IN_PROGRESS"), words.join());
    const filter = page.getByRole("textbox", { name: text.filter });
    await filter.fill("api == JoinGroup || error == 27");
    await page.waitForFunction(() => [...document.querySelectorAll(".request b")].every((name) => /JoinGroup|Heartbeat/.test(name.textContent)));
    assert.ok((await lines(page).count()) >= 3);
    await filter.fill("api == Jion");
    assert.match(await page.locator("#filter-words").textContent(), /Jion/);
    assert.equal(await filter.getAttribute("aria-invalid"), "true");
  });
}

test("fields and bytes light up each other, the response is beside its request", async (t) => {
  const { page, text } = await openMessages(t);
  await page.getByRole("button", { name: text.pause }).click();
  await lines(page).first().click();
  const anatomy = page.locator(".message .anatomy");
  await anatomy.waitFor();
  await anatomy.locator(".leaf", { hasText: "correlation_id" }).click();
  const lit = await anatomy.locator(".byte-hex i[data-lit]").evaluateAll((bytes) => bytes.map((byte) => Number(byte.dataset.at)));
  assert.deepEqual(lit, [8, 9, 10, 11], "four bytes behind length, key and version");
  await anatomy.locator(".byte-hex i[data-at='5']").click();
  await page.mouse.move(0, 0);
  assert.match(await anatomy.locator(".leaf[aria-selected=true]").textContent(), /request_api_key/);
  await page.getByRole("button", { name: text.response, exact: true }).click();
  await anatomy.locator(".leaf", { hasText: "error_code" }).first().waitFor();
});

test("the list is walked through by keys, and the diagram follows", async (t) => {
  const { page, text } = await openMessages(t);
  await page.getByRole("button", { name: text.pause }).click();
  const list = page.getByRole("listbox", { name: text.list });
  await list.focus();
  await page.keyboard.press("End");
  await page.locator(".request[aria-selected=true]").waitFor();
  const last = await page.locator(".request[aria-selected=true]").getAttribute("id");
  assert.equal(await page.locator(".arrow[data-exchange][data-selected=true]").getAttribute("data-exchange"), last.replace("request-", ""));
  const tree = page.getByRole("tree");
  await tree.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.match(await page.locator(".leaf[aria-selected=true]").textContent(), /request_api_key/);
});

test("copied hex is the message, and reading it again shows the same fields beside it", async (t) => {
  const { page, context, text } = await openMessages(t);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: text.pause }).click();
  await lines(page).first().click();
  await page.getByRole("button", { name: text.copy }).click();
  await page.getByRole("status").filter({ hasText: "Copied" }).waitFor();
  const hex = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(hex, /^0000[0-9a-f]+$/);
  await page.getByText(text.paste).click();
  await page.locator(".paste textarea").fill(hex);
  await page.getByRole("button", { name: text.read, exact: true }).click();
  await page.locator(".capture .leaf").first().waitFor();
  const fields = (of) => page.locator(`${of} .leaf`).allTextContents();
  assert.deepEqual(await fields(".capture"), await fields(".message"));
});

for (const language of ["en", "ko"]) {
  test(`a hex dump is read, one with a fault is refused in words (${language})`, async (t) => {
    const { page, text } = await openMessages(t, { language });
    await page.getByText(text.paste).click();
    const area = page.locator(".paste textarea");
    await area.fill(`${HEARTBEAT}\n\n${ANSWER}`);
    await page.getByRole("button", { name: text.read, exact: true }).click();
    await page.locator(".capture .request").nth(1).waitFor();
    assert.match(await page.locator(".capture .request").nth(1).textContent(), /27 REBALANCE_IN_PROGRESS/);
    await page.locator(".capture .request").nth(1).click();
    await page.locator(".capture .leaf", { hasText: "27 REBALANCE_IN_PROGRESS" }).waitFor();
    await page.locator(".paste:not([open])").waitFor();
    await page.getByText(text.paste).click();
    await area.fill("00 zz");
    await page.getByRole("button", { name: text.read, exact: true }).click();
    assert.match(await page.getByRole("alert").textContent(), /z/);
    assert.equal(await page.locator(".capture .request").count(), 2, "what was there stays");
    await page.getByRole("button", { name: text.close }).click();
    assert.equal(await page.locator(".capture").count(), 0);
  });
}

test("what is saved as a capture file opens again with the same messages", async (t) => {
  const { page, text } = await openMessages(t);
  await page.getByRole("combobox", { name: text.apis }).selectOption("all");
  await page.getByRole("button", { name: text.pause }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: text.save }).click()]);
  assert.equal(download.suggestedFilename(), "regroup.pcap");
  const file = await readFile(await download.path());
  assert.equal(file.readUInt32LE(0), 0xa1b2c3d4);
  await page.locator("input[type=file]").first().setInputFiles({ name: "mine.pcap", mimeType: "application/octet-stream", buffer: file });
  await page.locator(".capture .request").first().waitFor();
  assert.equal(await page.locator(".capture .request-answer[data-bad=true]").count(), 0);
  const texts = await page.locator(".capture .request b").allTextContents();
  assert.ok(texts.some((name) => name.startsWith("Produce v11 request")) && texts.some((name) => name.startsWith("Fetch v17 response")), texts.slice(0, 9).join());
  // Nonsense is refused and changes nothing.
  await page.locator("input[type=file]").first().setInputFiles({ name: "broken.pcap", mimeType: "application/octet-stream", buffer: Buffer.from([0xd4, 0xc3, 0xb2, 0xa1, 1]) });
  await page.getByRole("alert").waitFor();
  assert.equal(await page.locator(".capture .request b").count(), texts.length);
});

test("the version that both sides agreed on is told for the connection", async (t) => {
  const { page, text } = await openMessages(t);
  await page.getByRole("button", { name: text.pause }).click();
  await lines(page).first().click();
  const message = page.locator(".message");
  assert.match(await message.textContent(), /v4: the highest that both speak/);
  await message.locator("summary").click();
  const row = message.locator("tr", { hasText: "JoinGroup" });
  assert.deepEqual(await row.locator("td").allTextContents(), ["JoinGroup", "≤ v9", "v0–v9", "v9"]);
});

for (const dark of [false, true]) {
  for (const language of ["en", "ko"]) {
    test(`the view of messages has no accessibility violations (${language}, ${dark ? "dark" : "light"})`, async (t) => {
      const { page, text } = await openMessages(t, { dark, language });
      await page.getByRole("button", { name: text.pause }).click();
      await lines(page).first().click();
      await page.getByText(text.paste).click();
      await page.locator(".paste textarea").fill(HEARTBEAT + ANSWER);
      await page.getByRole("button", { name: text.read, exact: true }).click();
      await page.locator(".capture .leaf").first().waitFor();
      await page.getByRole("textbox", { name: text.filter }).fill("error = 0");
      await assertAccessible(page);
    });
  }
}

test("on a phone the view of messages does not stick out sideways", async (t) => {
  const { page, text } = await openMessages(t, { size: PHONE });
  await page.getByRole("button", { name: text.pause }).click();
  await lines(page).first().click();
  await page.locator(".message .leaf").first().waitFor();
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(over, 0);
});
