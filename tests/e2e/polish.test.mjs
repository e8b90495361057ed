// What a newcomer must not stumble over: everything fits, everything is said, nothing goes stale.

import assert from "node:assert/strict";
import test from "node:test";
import { assertAccessible, LAPTOP, openPage, PHONE } from "./helper.mjs";

const member = (page, name) => page.locator(`.member[data-party="client:${name}"]`);
const caption = (page) => page.locator(".caption p");
const settled = (page) => page.waitForFunction(() => document.querySelectorAll(".member .chip").length === 6);
const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const isWithin = (inner, outer) => inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;

/** Lets time run ten times as fast. */
const hurry = async (page) => {
  for (const key of "+++") await page.keyboard.press(key);
};

test("with four consumers the tray, the cards and their buttons are in sight", async (t) => {
  const { page } = await openPage(t);
  await settled(page);
  await page.getByRole("button", { name: "Add consumer" }).first().click();
  await member(page, "c4").waitFor();
  const stage = await page.locator(".stage").boundingBox();
  assert.ok(isWithin(await page.locator(".tray").boundingBox(), stage));
  for (const name of ["c1", "c2", "c3", "c4"]) {
    assert.ok(isWithin(await member(page, name).getByRole("button", { name: "Kill" }).boundingBox(), stage), name);
  }
  assert.ok(isWithin(await page.locator(".group .add").boundingBox(), stage));
});

test("with eight the tray stays in sight while the cards scroll", async (t) => {
  const { page } = await openPage(t);
  await settled(page);
  for (let press = 0; press < 5; press += 1) await page.keyboard.press("a");
  await member(page, "c8").scrollIntoViewIfNeeded();
  const stage = await page.locator(".stage").boundingBox();
  assert.ok(isWithin(await page.locator(".tray").boundingBox(), stage));
});

test("who was killed folds to a line once the group has forgotten it", async (t) => {
  const { page } = await openPage(t);
  await settled(page);
  const before = await member(page, "c2").boundingBox();
  await member(page, "c2").getByRole("button", { name: "Kill" }).click();
  await hurry(page);
  await page.locator('.member[data-party="client:c2"][data-past="true"]').waitFor({ timeout: 60_000 });
  assert.ok((await member(page, "c2").boundingBox()).height < before.height / 2);
  await member(page, "c2").getByRole("button", { name: "Restart" }).waitFor();
});

test("tokens cover neither numbers nor names", async (t) => {
  const { page } = await openPage(t);
  await settled(page);
  for (let press = 0; press < 3; press += 1) await page.keyboard.press("a");
  const covered = new Set();
  for (let look = 0; look < 12; look += 1) {
    await page.waitForTimeout(150);
    for (const found of await page.evaluate(() => {
      const boxes = (selector) => [...document.querySelectorAll(selector)].map((element) => [element, element.getBoundingClientRect()]);
      const cards = boxes(".broker, .member, .producer");
      return boxes(".token").filter(([token]) => getComputedStyle(token).visibility === "visible")
        .flatMap(([token, a]) => cards.filter(([, b]) => a.left < b.right - 1 && a.right > b.left + 1 && a.top < b.bottom && a.bottom > b.top)
          .map(([card]) => `${token.textContent} over ${card.dataset.party}`));
    })) covered.add(found);
  }
  assert.deepEqual([...covered], []);
});

test("no message with a name covers another", async (t) => {
  const { page } = await openPage(t);
  await settled(page);
  await page.keyboard.press("i");
  const card = page.locator(".card", { has: page.locator("summary", { hasText: "I-026" }) });
  await card.locator("> summary").click();
  await card.getByRole("button", { name: "Open", exact: true }).click();
  await page.locator(".shelf").waitFor({ state: "detached" });
  await hurry(page);
  await page.waitForFunction(() => Number(document.querySelector(".clock").innerText.split(":").pop()) >= 22.5, null, { timeout: 60_000 });
  for (const key of "---") await page.keyboard.press(key);
  let named = 0;
  const covered = new Set();
  for (let look = 0; look < 60; look += 1) {
    const { count, pairs } = await page.evaluate(() => {
      const tokens = [...document.querySelectorAll('.token:not([data-cramped])')].filter((one) => one.textContent && getComputedStyle(one).visibility === "visible");
      const boxes = tokens.map((one) => [one.textContent, one.getBoundingClientRect()]);
      const meets = ([, a], [, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
      const pairs = boxes.flatMap((one, place) => boxes.slice(place + 1).filter((other) => meets(one, other)).map((other) => `${one[0]} and ${other[0]}`));
      return { count: boxes.length, pairs };
    });
    named = Math.max(named, count);
    for (const pair of pairs) covered.add(pair);
    await page.waitForTimeout(50);
  }
  assert.ok(named >= 3, `the rebalance's messages bear their names: ${named}`);
  assert.deepEqual([...covered], []);
});

test("an eager rebalance has one word and one picture on the stage and over time", async (t) => {
  const { page } = await openPage(t);
  await settled(page);
  await page.getByRole("button", { name: "Add consumer" }).first().click();
  await page.locator('.tray .wait[data-holder="paused"]').first().waitFor({ timeout: 30_000 });
  await page.keyboard.press("k");
  assert.match(await page.locator(".tray").innerText(), /between owners/);
  assert.ok(await page.locator('.over-row i[data-holder="paused"]').count() > 0);
  assert.equal(await page.locator('.tray .wait[data-holder="nobody"]').count(), 0);
});

test("a killed consumer's partitions are hatched on the stage and over time", async (t) => {
  const { page } = await openPage(t);
  await settled(page);
  await member(page, "c2").getByRole("button", { name: "Kill" }).click();
  await page.locator('.tray .wait[data-holder="nobody"]').first().waitFor();
  await page.locator('.over-row i[data-holder="nobody"]').first().waitFor();
  assert.match(await page.locator(".tray").innerText(), /its holder is gone/);
});

test("no error is left on a card when the group is Stable again", async (t) => {
  const { page } = await openPage(t);
  await settled(page);
  await page.keyboard.press("a");
  await page.locator(".member .trouble").first().waitFor({ timeout: 30_000 });
  await page.keyboard.press("n");
  await page.locator('.state[data-state="Stable"]').waitFor();
  assert.deepEqual(await page.locator(".member .trouble").allInnerTexts(), []);
});

test("a refused value is marked, explained and kept as it was typed", async (t) => {
  const { page } = await openPage(t);
  await member(page, "c1").locator(".name").click();
  const field = page.locator(".config").filter({ hasText: "session.timeout.ms" }).locator("input");
  await field.fill("abc");
  await field.press("Enter");
  const message = page.locator(".field-error");
  await message.waitFor();
  assert.match(await message.innerText(), /session\.timeout\.ms/);
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.equal(await field.getAttribute("aria-describedby"), await message.getAttribute("id"));
  await page.waitForTimeout(500);
  assert.equal(await field.inputValue(), "abc", "it stays, although time runs");
  await assertAccessible(page);
  await field.fill("12000");
  await field.press("Enter");
  await message.waitFor({ state: "detached" });
  assert.equal(await field.inputValue(), "12000");
});

test("what is being typed is not overwritten while time runs", async (t) => {
  const { page } = await openPage(t);
  await member(page, "c1").locator(".name").click();
  const field = page.locator(".side .field-row input").first();
  await field.fill("123");
  await page.waitForTimeout(700);
  assert.equal(await field.inputValue(), "123");
});

test("static membership is a switch with an instance id", async (t) => {
  const { page } = await openPage(t);
  await member(page, "c1").locator(".name").click();
  const toggle = page.getByRole("switch", { name: "static member" });
  await toggle.check();
  const field = page.locator(".side .field-row").filter({ hasText: "group.instance.id" }).first().locator("input");
  await field.waitFor();
  assert.equal(await field.inputValue(), "c1");
  await toggle.uncheck();
  assert.equal(await toggle.isChecked(), false);
});

test("the narration says who gets what and how much comes twice, and then how things stand", async (t) => {
  const { page } = await openPage(t);
  await settled(page);
  await member(page, "c2").getByRole("button", { name: "Kill" }).click();
  await hurry(page);
  const told = new Set();
  for (let look = 0; look < 400; look += 1) {
    told.add(await caption(page).innerText());
    if ([...told].some((text) => /owns orders/.test(text)) && [...told].some((text) => /again, from offset/.test(text))) break;
    await page.waitForTimeout(50);
  }
  const all = [...told].join("\n");
  assert.match(all, /gets \d+ records? of orders-\d again, from offset/);
  assert.match(all, /c1 owns orders .*duplicates? so far/);
  assert.equal(await caption(page).getAttribute("aria-live"), "off", "ten times as fast is too fast to be read out");
});

test("the stage in words is in step with the stage", async (t) => {
  const { page } = await openPage(t);
  await settled(page);
  await page.getByRole("tab", { name: "In words" }).click();
  await member(page, "c2").getByRole("button", { name: "Kill" }).click();
  await page.keyboard.press("k");
  await page.locator(".words li").filter({ hasText: /c2: killed, not noticed yet/ }).waitFor();
  const text = await page.locator(".words").innerText();
  assert.match(text, /nobody owns orders-2/);
  assert.match(text, /committed \d+, lag \d+/);
  assert.match(await page.locator("#stage-text").textContent(), /Unowned: orders/);
});

test("words explain themselves, by key and by touch, and Escape leads back", async (t) => {
  const { page } = await openPage(t, { size: PHONE });
  await settled(page);
  const ring = member(page, "c1").locator(".ring").first();
  await ring.tap();
  const hint = page.locator("#hint");
  await hint.waitFor({ state: "visible" });
  assert.match(await hint.innerText(), /session\.timeout\.ms/);
  await page.keyboard.press("Escape");
  await hint.waitFor({ state: "hidden" });
  const word = page.locator(".group .term").first();
  await word.focus();
  await page.keyboard.press("Enter");
  await hint.waitFor({ state: "visible" });
  await assertAccessible(page);
  await page.keyboard.press("Escape");
  await hint.waitFor({ state: "hidden" });
  assert.ok(await word.evaluate((element) => element === document.activeElement));
});

test("a button that does nothing now says why", async (t) => {
  const { page } = await openPage(t);
  await page.getByRole("button", { name: "Undo" }).click({ force: true });
  await page.locator(".toast").filter({ hasText: /nothing to undo/ }).waitFor();
  for (let press = 0; press < 8; press += 1) await page.keyboard.press("+");
  await page.locator(".toast").filter({ hasText: /does not go faster/ }).waitFor();
});

test("the views are as high as a person wants them, and stay so", async (t) => {
  const { page } = await openPage(t);
  const height = async () => (await page.locator("#panel").boundingBox()).height;
  const first = await height();
  const handle = page.getByRole("separator");
  await handle.focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.equal(await height(), first + 48);
  const box = await handle.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 - 60, { steps: 4 });
  await page.mouse.up();
  const wanted = await height();
  assert.ok(Math.abs(wanted - first - 108) <= 2);
  await page.reload();
  await page.locator(".member").first().waitFor();
  assert.equal(await height(), wanted);
});

test("the event log shows one kind at a time", async (t) => {
  const { page } = await openPage(t);
  await page.locator("#tab-Events").click();
  await member(page, "c2").getByRole("button", { name: "Kill" }).click();
  await page.locator(".events .choices").getByRole("button", { name: "Acts" }).click();
  await page.keyboard.press("k");
  const lines = await page.locator(".events .event").allInnerTexts();
  assert.ok(lines.some((line) => /You kill c2/.test(line)));
  assert.ok(lines.every((line) => !/committed|appended|Heartbeat/.test(line)));
});

test("the group table speaks as the tool does, also of members and state", async (t) => {
  const { page } = await openPage(t);
  await settled(page);
  await page.locator("#tab-Table").click();
  const head = () => page.locator(".tool th").allInnerTexts();
  await page.getByRole("button", { name: "--members --verbose" }).click();
  await page.locator(".tool th").filter({ hasText: "ASSIGNMENT" }).waitFor();
  assert.deepEqual(await head(), ["GROUP", "CONSUMER-ID", "HOST", "CLIENT-ID", "#PARTITIONS", "ASSIGNMENT"]);
  assert.match(await page.locator(".tool tbody").innerText(), /\(0,1\)/);
  await page.getByRole("button", { name: "--state" }).click();
  await page.locator(".tool th").filter({ hasText: "COORDINATOR" }).waitFor();
  assert.deepEqual(await head(), ["GROUP", "COORDINATOR (ID)", "ASSIGNMENT-STRATEGY", "STATE", "#MEMBERS"]);
  assert.match(await page.locator(".tool tbody").innerText(), /range\s+Stable\s+3/);
});

test("the browser has nothing to say about the page", async (t) => {
  const said = [];
  const { page } = await openPage(t, {
    worker: true,
    prepare: async (context) => context.on("console", (message) => said.push(message.text())),
  });
  await settled(page);
  assert.deepEqual(said, []);
});

test("the list of keys knows how many views there are", async (t) => {
  const { page } = await openPage(t);
  const views = await page.getByRole("tab").count();
  await page.keyboard.press("?");
  assert.match(await page.getByRole("dialog").innerText(), new RegExp(`1 … ${Math.min(views, 9)}`));
});

test("a file is dropped onto the page: a large one and a broken one are refused in words", async (t) => {
  const { page } = await openPage(t);
  const drop = (name, size) => page.evaluate(([name, size]) => {
    const data = new DataTransfer();
    data.items.add(new File([size > 10 ? "x".repeat(size) : "{"], name, { type: "application/json" }));
    const target = document.querySelector(".stage");
    for (const type of ["dragenter", "dragover", "drop"]) {
      target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
    }
  }, [name, size]);
  for (const [name, size] of [["large.json", 20_000_000], ["broken.json", 1]]) {
    await drop(name, size);
    const alert = page.locator('.toast[role="alert"]');
    await alert.waitFor();
    assert.match(await alert.innerText(), /what runs goes on/);
    await page.keyboard.press("Escape");
    await alert.waitFor({ state: "detached" });
    assert.equal(await page.locator(".member").count(), 3);
  }
});

for (const [what, size] of [["a phone", PHONE], ["320 px", { width: 320, height: 700 }], ["200 % zoom", { width: 720, height: 450 }], ["a small laptop", { width: 1100, height: 700 }]]) {
  test(`on ${what} nothing sticks out sideways, in no view and with the inspector open`, async (t) => {
    const { page } = await openPage(t, { size });
    await settled(page);
    assert.equal(await sideways(page), 0);
    const views = await page.getByRole("tab").count();
    for (let view = 1; view <= Math.min(views, 9); view += 1) {
      await page.keyboard.press(String(view));
      assert.equal(await sideways(page), 0, `view ${view}`);
    }
    await page.keyboard.press("1");
    await member(page, "c1").locator(".name").click();
    assert.equal(await sideways(page), 0);
  });
}

test("on a phone a consumer can be killed without scrolling, and what is pressed is large enough", async (t) => {
  const { page } = await openPage(t, { size: PHONE });
  await settled(page);
  const kill = await member(page, "c1").locator(".danger").boundingBox();
  const bar = await page.locator(".timebar").boundingBox();
  assert.ok(kill.y + kill.height <= bar.y);
  const small = await page.evaluate(() => [...document.querySelectorAll(".button, .tabs button")]
    .filter((button) => button.getClientRects().length > 0)
    .map((button) => [button.getAttribute("aria-label") ?? button.textContent, button.getBoundingClientRect()])
    .filter(([, box]) => box.height < 44)
    .map(([name, box]) => `${name}: ${box.height}`));
  assert.deepEqual(small, []);
  assert.ok(await page.locator(".lane .number").first().isVisible(), "the committed offset is there");
});

test("a notice covers nothing but the caption", async (t) => {
  const { page } = await openPage(t);
  await page.keyboard.press("u");
  const toast = await page.locator(".toast").boundingBox();
  const tray = await page.locator(".tray").boundingBox();
  const legend = await page.locator(".legend").boundingBox();
  assert.ok(toast.y + toast.height <= tray.y && toast.y + toast.height <= legend.y);
});

test("nothing moves when a rebalance begins and ends", async (t) => {
  const { page } = await openPage(t, { size: LAPTOP });
  await settled(page);
  await page.keyboard.press("a");
  await member(page, "c4").waitFor();
  const places = () => page.evaluate(() => [...document.querySelectorAll(".broker, .member, .tray, .strip, .timebar")]
    .map((element) => { const box = element.getBoundingClientRect(); return [box.x, box.y, box.width, box.height].map(Math.round).join(); }));
  const before = await places();
  await page.locator('.state[data-state="PreparingRebalance"]').waitFor({ timeout: 30_000 });
  assert.deepEqual(await places(), before);
  await page.locator('.tray[data-empty="false"]').waitFor({ timeout: 30_000 });
  assert.deepEqual(await places(), before);
});
