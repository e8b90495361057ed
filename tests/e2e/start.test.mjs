// Loading the page: what a host, a browser or a person may do to it before it runs.

import assert from "node:assert/strict";
import test from "node:test";
import { firstLoad } from "../../tools/size.mjs";
import { assertAccessible, openPage, PHONE, PREFIX } from "./helper.mjs";

test("the page comes up below a sub-path and asks for nothing outside it", async (t) => {
  const { page, server } = await openPage(t);
  assert.equal(await page.locator("#boot").count(), 0, "the loading message is gone");
  assert.match(await page.title(), /^Regroup/);
  assert.match(await page.locator("html").getAttribute("lang"), /^en/);
  for (const asked of server.requests) assert.ok(asked.startsWith(PREFIX), asked);
});

test("the first load is what the size check counts", async (t) => {
  const { page, server } = await openPage(t);
  await page.waitForLoadState("networkidle");
  const counted = firstLoad().map(({ name }) => PREFIX + name);
  for (const asked of server.requests) {
    assert.ok(asked === PREFIX || counted.includes(asked), `${asked} is loaded, but not counted`);
  }
});

test("a host that knows no wasm type is good enough", async (t) => {
  const { page } = await openPage(t, {
    types: { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml" },
  });
  assert.equal(await page.locator("#boot").count(), 0);
});

for (const [language, words] of [["en", "could not start"], ["ko", "시작하지 못했습니다"]]) {
  for (const [what, pattern] of [["program", "**/*.wasm"], ["script", "**/page-*.js"]]) {
    test(`a ${what} that does not load is said in words (${language})`, async (t) => {
      const { page, problems } = await openPage(t, {
        language,
        mounted: false,
        prepare: (context) => context.route(pattern, (route) => route.abort()),
      });
      const alert = page.getByRole("alert");
      await alert.waitFor();
      assert.ok((await alert.textContent()).includes(words));
      assert.notEqual(problems.length, 0);
      problems.length = 0;
    });
  }
}

test("without JavaScript the page says what it needs", async (t) => {
  const { page } = await openPage(t, { mounted: false, javaScriptEnabled: false });
  assert.match(await page.locator("body").innerText(), /needs JavaScript and WebAssembly/);
});

for (const dark of [false, true]) {
  test(`the start screen has no accessibility violations (${dark ? "dark" : "light"})`, async (t) => {
    const { page } = await openPage(t, { dark });
    await assertAccessible(page);
  });
}

test("on a phone nothing sticks out sideways", async (t) => {
  const { page } = await openPage(t, { size: PHONE });
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(over, 0);
});
