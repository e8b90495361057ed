// docs/seed-checklist.md is true of the page: every control that its column "On the page" names is there, and
// every scenario that it names can be opened, in the variant that it names.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { openPage } from "./helper.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TABLE = readFileSync(`${ROOT}docs/seed-checklist.md`, "utf8");

/** The line's number and what it says of the page. */
const cells = TABLE.split("\n")
  .filter((line) => line.startsWith("| S"))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, number, , onPage]) => [number, onPage]);

/** Names in a cell: of controls in italics, of scenarios in code type. */
const names = (cell, mark) => [...cell.matchAll(mark === "*" ? /\*([^*]+)\*/g : /`([^`.]+)`/g)].map((found) => found[1]);

const fileOf = (name) =>
  [`src/scenario/library/${name}.json`, `static/incidents/${name}.json`].map((file) => ROOT + file).find((file) => existsSync(file));

/** All that can be read or heard of what matches, now. */
const told = (page, selector) =>
  page.locator(selector).evaluateAll((parts) => {
    const words = [];
    for (const part of parts) {
      for (const details of part.querySelectorAll("details")) details.open = true;
      words.push(part.innerText);
      for (const element of part.querySelectorAll("[aria-label], [title], option, label")) {
        words.push(element.getAttribute("aria-label") ?? "", element.getAttribute("title") ?? "", element.textContent);
      }
    }
    return words.join("\n");
  });

test("every control that the checklist names is on the page", async (t) => {
  const { page } = await openPage(t);
  await page.locator(".member").first().waitFor();
  const chosen = async (press) => {
    await press();
    await page.locator(".side[data-open=true] h2").first().waitFor();
    return told(page, ".side");
  };
  const member = await chosen(() => page.locator(".member .name").first().click());
  const group = await chosen(() => page.locator(".group .name").first().click());
  const topic = await chosen(() => page.locator("button.name.caps").first().click());
  const partition = await chosen(() => page.locator(".lane .name").first().click());
  const running = await told(page, "#app");
  // What can be done with a process that is gone is offered when one is gone.
  await page.locator(".member").last().getByRole("button", { name: "Kill" }).click();
  await page.locator(".member").last().getByRole("button", { name: "Restart" }).waitFor();
  const everywhere = running + (await told(page, "#app"));
  const places = { member, group, topic, partition };
  for (const [number, cell] of cells) {
    for (const part of cell.split(";")) {
      const place = /^\s*`?[^*]*?\b(member|group|topic|partition)\b,/i.exec(part)?.[1].toLowerCase();
      for (const name of names(part, "*")) {
        const text = place ? places[place] : everywhere + member + group;
        assert.ok(text.includes(name), `${number}: there is no ${name}${place ? ` of a ${place}` : ""}`);
      }
    }
  }
});

test("every scenario that the checklist names can be opened, in its variant", async (t) => {
  const { page } = await openPage(t);
  await page.keyboard.press("o");
  await page.locator(".library").first().waitFor();
  const library = await told(page, ".library");
  await page.keyboard.press("Escape");
  await page.keyboard.press("i");
  const shelf = page.getByRole("dialog");
  await page.waitForFunction(() => document.querySelectorAll("[role=dialog] summary").length >= 40);
  const incidents = await told(page, "[role=dialog]");
  await shelf.waitFor();
  for (const [number, cell] of cells) {
    for (const name of names(cell, "`")) {
      const file = fileOf(name);
      assert.ok(file, `${number}: there is no scenario ${name}`);
      const { title, variants = {} } = JSON.parse(readFileSync(file, "utf8"));
      const text = /^i-\d+$/.test(name) ? incidents : library;
      assert.ok(text.includes(/^i-\d+$/.test(name) ? name.toUpperCase() : title.en), `${number}: ${name} is not offered`);
      const wanted = new RegExp(`\`${name}\`, variants? ([^;]+)`).exec(cell)?.[1].split(" and ") ?? [];
      for (const variant of wanted) {
        const found = Object.keys(variants).some((key) => key.includes(variant));
        assert.ok(found, `${number}: ${name} has no variant ${variant}`);
      }
    }
  }
});
