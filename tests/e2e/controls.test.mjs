// Whatever a scenario file can say can be done on the page, where the thing itself stands.

import assert from "node:assert/strict";
import test from "node:test";
import { assertAccessible, openPage, PHONE } from "./helper.mjs";

const member = (page, name) => page.locator(`.member[data-party="client:${name}"]`);
const side = (page) => page.locator(".side");
const settled = (page) => page.waitForFunction(() => document.querySelectorAll(".member .chip").length === 6);
const field = (page, label) => side(page).locator(".field-row", { hasText: label }).locator("input, select").first();

/** Types into a field of the inspector and leaves it. */
async function enter(page, label, value) {
  await field(page, label).fill(value);
  await field(page, label).press("Enter");
}

/** What the log says of the newest events, as one text. */
const log = async (page) => {
  await page.getByRole("tab", { name: "Events" }).click();
  await page.locator(".event").first().waitFor();
  return (await page.locator(".strip .event").allInnerTexts()).join("\n");
};

const said = async (page, words) =>
  page.waitForFunction((words) => [...document.querySelectorAll(".strip .event")].some((event) => event.innerText.includes(words)), words);

/** Opens the inspector of a consumer with all its sections. */
async function consumer(page, name) {
  await member(page, name).locator(".name").first().click();
  await side(page).locator(".client-tools").first().waitFor();
  await side(page).evaluate((side) => side.querySelectorAll("details").forEach((details) => (details.open = true)));
}

test("a consumer's whole program is set in its inspector", async (t) => {
  const { page } = await openPage(t);
  await settled(page);
  await log(page);
  await consumer(page, "c1");
  await enter(page, "time per record varies by", "20");
  await enter(page, "rebalance callbacks take", "250");
  await enter(page, "busy elsewhere", "60000-61000");
  await field(page, "when a call throws").selectOption("close");
  await field(page, "calls poll()").selectOption("every");
  await enter(page, "from poll to poll", "500");
  await field(page, "commits").selectOption("async-each");
  await enter(page, "records per commit", "7");
  await enter(page, "its assignor takes", "40");
  await enter(page, "dies after records", "100000");
  // What was set is what is shown once the world has taken it.
  for (const [label, value] of Object.entries({
    "time per record varies by": "20",
    "rebalance callbacks take": "250",
    "busy elsewhere": "60000-61000",
    "from poll to poll": "500",
    "records per commit": "7",
    "its assignor takes": "40",
    "dies after records": "100000",
  })) assert.equal(await field(page, label).inputValue(), value, label);
  assert.equal(await field(page, "commits").inputValue(), "async-each");
  // What makes no sense is refused beside its field, and stays in it.
  await enter(page, "busy elsewhere", "soon");
  await side(page).locator(".field-error").waitFor();
  assert.match(await side(page).locator(".field-error").innerText(), /soon.*20000-25000/);
  assert.equal(await field(page, "busy elsewhere").inputValue(), "soon");
  await assertAccessible(page);
});

test("records, producers, topics and consumers are made where they belong", async (t) => {
  const { page } = await openPage(t);
  await settled(page);
  await log(page);
  await page.locator(".group .name").first().click();
  await enter(page, "how many more", "2");
  await side(page).getByRole("button", { name: "Add 2 consumers" }).click();
  await member(page, "c5").waitFor();
  await page.locator(".broker .name, .broker button").first().click();
  await enter(page, "partitions of a new topic", "2");
  await enter(page, "create a topic", "payments");
  await page.locator(".topic, .lane", { hasText: "payments" }).first().waitFor();
  await page.locator(".cluster header button", { hasText: "payments" }).click();
  await enter(page, "add a producer", "p9");
  await page.locator(".producer", { hasText: "p9" }).waitFor();
  await page.locator(".producer", { hasText: "p9" }).locator(".name, button").first().click();
  await enter(page, "key of a single record", "me");
  await side(page).getByRole("button", { name: "Send one record" }).click();
  await said(page, "p9");
});

test("a record is spoilt where its life is told, and messages are disturbed where their parties stand", async (t) => {
  const { page } = await openPage(t);
  await settled(page);
  await log(page);
  await page.locator(".lane button, button.lane").first().click();
  await enter(page, "offset", "3");
  // By keyboard: the buttons follow one another.
  await side(page).getByRole("button", { name: "Poison this record" }).focus();
  await page.keyboard.press("Enter");
  await said(page, "poison");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await side(page).getByRole("button", { name: "Delete the records before it" }).click();
  await said(page, "are deleted");
  await page.locator(".broker .name, .broker button").first().click();
  const disturb = side(page).locator(".client-tools", { hasText: "messages" });
  await disturb.locator("summary").click();
  await field(page, "Next request").selectOption("Heartbeat");
  await field(page, "What befalls it").selectOption({ index: 2 });
  await enter(page, "Error code", "16");
  await disturb.getByRole("button", { name: "Disturb the next one" }).click();
  await said(page, "NOT_COORDINATOR");
  await page.locator(".producer .name").first().click();
  await disturb.locator("summary").click();
  assert.deepEqual(await field(page, "Next request").locator("option").allInnerTexts(), ["Produce", "InitProducerId", "Metadata"]);
  await assertAccessible(page);
});

test("any act can be written as a file says it, and a bad one is refused with its place", async (t) => {
  const { page } = await openPage(t);
  await settled(page);
  await consumer(page, "c2");
  const area = page.getByLabel("The act in JSON");
  const act = side(page).locator(".client-tools", { hasText: "Any act" });
  await act.locator("select").selectOption({ label: "freeze" });
  assert.deepEqual(JSON.parse(await area.inputValue()), { freeze: { actor: "c2" } });
  await area.fill('{"freeze": {"actor": 2}}');
  await act.getByRole("button", { name: "Do it now" }).click();
  await page.waitForFunction(() => document.querySelector(".field-error")?.innerText.includes("freeze.actor"));
  assert.equal(await area.inputValue(), '{"freeze": {"actor": 2}}');
  await area.fill('{"freeze": {"actor": "c2"}}');
  // By keyboard: from the text to the button, and press it.
  await area.press("Tab");
  await page.keyboard.press("Enter");
  await member(page, "c2").getByRole("button", { name: "Thaw" }).waitFor();
  assert.equal(await page.locator(".field-error").count(), 0);
});

test("what stands before the first act is changed in the scenario's file", async (t) => {
  const { page } = await openPage(t, { size: PHONE });
  await page.keyboard.press("o");
  await page.getByRole("button", { name: "Edit this scenario" }).click();
  const area = page.getByLabel("The scenario's file");
  const file = JSON.parse(await area.inputValue());
  const fewer = JSON.stringify({ ...file, topics: [{ ...file.topics[0], partitions: 4 }] });
  await area.fill(fewer);
  await page.getByRole("button", { name: "Start it" }).click();
  // The class room's group has committed to what is then not there.
  await page.waitForFunction(() => document.querySelector(".sheet .field-error")?.innerText.includes('groups[0].offsets'));
  assert.equal(await area.inputValue(), fewer);
  await assertAccessible(page);
  file.topics[0].partitions = 7;
  file.title = { en: "Mine", ko: "내 것" };
  await area.fill(JSON.stringify(file));
  await page.getByRole("button", { name: "Start it" }).click();
  await page.locator(".sheet").waitFor({ state: "detached" });
  await page.waitForFunction(() => document.title.includes("Mine") || document.querySelector("header").innerText.includes("Mine"));
  await page.waitForFunction(() => document.querySelectorAll(".lane").length === 7);
});
