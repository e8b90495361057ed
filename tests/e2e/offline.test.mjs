// The page without a network, and the page that says what is modelled.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { assertAccessible, openPage } from "./helper.mjs";

test("after the first visit the page works without a network", { timeout: 120_000 }, async (t) => {
  const { page, context, problems } = await openPage(t, { worker: true });
  await page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => new Promise((resolve) => {
    if (active.state === "activated") resolve();
    active.addEventListener("statechange", () => active.state === "activated" && resolve());
  })));
  await context.setOffline(true);
  await page.reload();
  await page.locator(".member").first().waitFor();
  const simplifications = await page.evaluate(() => fetch("./modelled/en.html").then((answer) => answer.text()));
  assert.match(simplifications, /What is modelled/);
  assert.deepEqual(problems, []);
});

for (const language of ["en", "ko"]) {
  test(`the page of all simplifications is whole and accessible (${language})`, async (t) => {
    const { page, server } = await openPage(t, { language });
    await page.goto(`${server.url}modelled/${language}.html`);
    assert.ok((await page.locator("li[data-source]").count()) > 25);
    await assertAccessible(page);
  });
}

test("every deviation that the source owns up to is on the page, and every source there is", () => {
  const content = JSON.parse(readFileSync("static/modelled/modelled.json", "utf8"));
  const said = content.parts.flatMap((part) => part.items.map((item) => item.source));
  for (const source of said) assert.ok(existsSync(source), source);
  const files = readdirSync("src", { recursive: true }).filter((name) => name.endsWith(".rs"));
  let found = 0;
  for (const name of files) {
    const count = readFileSync(path.join("src", name), "utf8").split("DEVIATION:").length - 1;
    found += count;
    const entries = said.filter((source) => source === `src/${name}`).length;
    assert.ok(entries >= count, `src/${name} has ${count} deviations, the page says ${entries}`);
  }
  assert.ok(found > 10, `${found} deviations`);
});
