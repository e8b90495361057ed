// What whoever teaches does: stops, running to the next of something, the trainer's mode, pictures.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
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
  assert.match(await page.locator('[role="status"]:has(.stop-note)').innerText(), /a group leaves Stable/);
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

const openMenu = async (page, name = "More") => {
  await page.locator(".head").getByRole("button", { name, exact: true }).click();
  await page.locator("#menu").waitFor();
};

test("the trainer's mode: prepared instants under digits, covered answers, a pointer, and out again", async (t) => {
  const { page } = await openPage(t);
  await until(page, "0:03");
  await openMenu(page);
  await assertAccessible(page);
  await page.locator("#menu").getByRole("button", { name: "Trainer's mode" }).click();
  const bar = page.locator(".trainer");
  await bar.waitFor();
  const size = await page.evaluate(() => getComputedStyle(document.querySelector(".caption")).fontSize);
  assert.ok(Number.parseFloat(size) >= 20, `large type, not ${size}`);
  assert.ok(!(await page.locator(".head").isVisible()));
  assert.ok(!(await page.locator(".side").isVisible()), "the inspector is away");

  // Two instants, by key and by mouse, and the way to them.
  await page.keyboard.press("k");
  await page.locator("#tab-Lag").click();
  await page.locator("#tab-Lag").evaluate((tab) => tab.blur());
  const first = await clock(page);
  await page.keyboard.press("Shift+Digit1");
  await bar.getByRole("button", { name: /^1.* Go to/ }).waitFor();
  await page.locator("#tab-Ownership").click();
  await page.keyboard.press("n");
  await note(page).waitFor({ timeout: 60_000 });
  await page.locator(".scrubber input").fill("150");
  await bar.getByRole("button", { name: /^2 Keep/ }).click();
  const second = await clock(page);
  assert.notEqual(first, second);
  await page.locator(".scrubber input").evaluate((input) => input.blur());
  await page.keyboard.press("1");
  await page.getByRole("tab", { name: "Lag", selected: true }).waitFor();
  assert.equal(await clock(page), first);
  await bar.getByRole("button", { name: /^2.* Go to/ }).click();
  await page.getByRole("tab", { name: "Ownership", selected: true }).waitFor();
  assert.equal(await clock(page), second);
  await page.keyboard.press("7");
  await page.waitForFunction(() => /No instant is kept under 7/.test(document.querySelector(".stop-note")?.innerText ?? ""));
  await page.keyboard.press("Escape");

  // The answer is covered until it is wanted.
  const chip = member(page, "c1").locator(".chip").first();
  await page.keyboard.press("h");
  await page.getByRole("button", { name: "Show the answer" }).waitFor();
  assert.ok(!(await chip.isVisible()), "who owns what is covered");
  assert.ok(!(await page.locator(".lane .letter").first().isVisible()));
  assert.ok(!(await page.locator(".panel > *").first().isVisible()));
  assert.ok(await member(page, "c1").getByRole("button", { name: "Kill" }).isVisible(), "what can be done is not");
  await assertAccessible(page);
  await page.getByRole("button", { name: "Show the answer" }).click();
  assert.ok(await chip.isVisible());

  // A spot that follows the pointer, and the stage alone.
  await page.keyboard.press("p");
  await page.mouse.move(400, 300);
  await page.waitForFunction(() => {
    const box = document.querySelector(".spot").getBoundingClientRect();
    return Math.abs(box.x + box.width / 2 - 400) < 2 && Math.abs(box.y + box.height / 2 - 300) < 2;
  });
  await page.keyboard.press("h");
  assert.ok(await page.locator(".spot").isVisible(), "it stays when something else changes");
  await page.keyboard.press("h");
  await page.keyboard.press("p");
  await page.locator(".spot").waitFor({ state: "detached" });
  await page.keyboard.press("v");
  await page.locator(".strip").waitFor({ state: "hidden" });
  await page.keyboard.press("v");
  await page.locator(".strip").waitFor();
  await assertAccessible(page);

  await page.keyboard.press("Escape");
  await bar.waitFor({ state: "detached" });
  assert.ok(await page.locator(".head").isVisible());
  await page.keyboard.press("m");
  await bar.waitFor();
  await bar.getByRole("button", { name: "Leave trainer's mode" }).click();
  await bar.waitFor({ state: "detached" });
});

test("the trainer's mode on a phone and in Korean", async (t) => {
  const { page } = await openPage(t, { language: "ko", size: PHONE, dark: true });
  await page.locator(".head").getByRole("button", { name: "더 보기" }).tap();
  await page.locator("#menu").waitFor();
  assert.ok(!(await scrollsSideways(page)));
  await assertAccessible(page);
  await page.locator("#menu").getByRole("button", { name: "강의 모드" }).tap();
  await page.locator(".trainer").waitFor();
  assert.ok(!(await scrollsSideways(page)));
  await page.locator(".trainer").getByRole("button", { name: /^3 현재 시점 저장/ }).tap();
  await page.locator(".trainer").getByRole("button", { name: /^3.* 시점으로 이동/ }).waitFor();
  await page.locator(".trainer").getByRole("button", { name: "정답 가리기" }).tap();
  await page.getByRole("button", { name: /정답 보기/ }).tap();
  await assertAccessible(page);
  await page.locator(".trainer").getByRole("button", { name: "강의 모드 종료" }).tap();
  await page.locator(".trainer").waitFor({ state: "detached" });
});

/** The file that a press gives, as bytes, and its name. */
async function saved(page, press) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** The open view, once nothing in it changes any more: the lab computes for a while. */
async function settled(page) {
  let before;
  for (let now = ""; now !== before; ) {
    before = now;
    await page.waitForTimeout(400);
    now = await page.locator("#panel").innerHTML();
  }
  return before;
}

test("pictures for slides: plain SVG, and PNG of it, of the stage and of every view", async (t) => {
  const { page } = await openPage(t);
  await until(page, "0:06");
  await member(page, "c2").getByRole("button", { name: "Kill" }).click();
  await until(page, "0:07");
  await page.keyboard.press("k");
  const picture = (part, format) =>
    saved(page, async () => {
      if (!(await page.locator("#menu").isVisible())) await openMenu(page);
      await page.locator("#menu").getByRole("button", { name: `${part}: ${format}`, exact: true }).click();
    });

  const svg = await picture("Stage", "SVG");
  assert.equal(svg.name, "regroup-stage.svg");
  const text = svg.bytes.toString("utf8");
  assert.match(text, />c1-[0-9a-f-]+…</, "what is cut short ends in dots");
  for (const word of ["broker 1", "c2", "Unowned", "Kill −9", "<title>"]) assert.ok(text.includes(word), word);
  assert.ok(!/foreignObject|class=|<script/i.test(text), "nothing that only browsers draw");
  assert.ok(!/href=|src=|url\((?!#|data:|&quot;#|"#)/.test(text), "it stands alone");

  const png = await picture("Both", "PNG");
  assert.equal(png.name, "regroup.png");
  assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
  const box = await page.locator(".work").boundingBox();
  assert.equal(png.bytes.readUInt32BE(16), Math.round(box.width * 2));
  assert.equal(png.bytes.readUInt32BE(20), Math.round(box.height * 2));

  await page.keyboard.press("Escape");
  for (const tab of ["Ownership", "Lag", "Events", "Messages", "Deliveries", "Table", "Words", "Compare", "Lab"]) {
    await page.locator(`#tab-${tab}`).click();
    const before = await settled(page);
    const view = (await picture("Open view", "SVG")).bytes.toString("utf8");
    await page.keyboard.press("Escape");
    assert.ok((view.match(/<text /g) ?? []).length > 3, `${tab} has words`);
    const isWellFormed = await page.evaluate((text) => !new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror"), view);
    assert.ok(isWellFormed, tab);
    assert.equal(await page.locator("#panel").innerHTML(), before, "the page is as it was");
  }
});

test("on paper: the stage and the view, light, without what can be pressed", async (t) => {
  const { page } = await openPage(t, { dark: true });
  await until(page, "0:05");
  await page.keyboard.press("k");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const gone of [".timebar", ".tabs", ".acts"]) assert.ok(!(await page.locator(gone).first().isVisible()), gone);
  for (const there of [".stage", ".panel", ".member"]) assert.ok(await page.locator(there).first().isVisible(), there);
  const ink = await page.evaluate(() => getComputedStyle(document.body).color);
  assert.equal(ink, "rgb(27, 29, 32)");
  const pdf = await page.pdf();
  assert.ok(pdf.length > 10_000);
});

for (const [language, title, link] of [
  ["en", "What is modelled", "What is modelled"],
  ["ko", "모델 범위", "모델 범위"],
]) {
  test(`what is modelled is one key away, with defaults and how to report a difference (${language})`, async (t) => {
    const { page, context } = await openPage(t, { language });
    const [opened] = await Promise.all([context.waitForEvent("page"), page.keyboard.press("d")]);
    await opened.getByRole("heading", { level: 1, name: title }).waitFor();
    assert.match(opened.url(), new RegExp(`modelled/${language}\\.html$`));
    assert.ok((await opened.locator("#defaults tbody tr").count()) > 40);
    await opened.locator("#defaults").getByText("session.timeout.ms", { exact: true }).waitFor();
    await opened.locator("#report p").first().waitFor();
    await opened.close();
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByRole("link", { name: link }).waitFor();
  });
}
