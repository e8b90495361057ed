// A broker's configurations: shown, changed where Kafka changes them in a running broker, else refused in words.

import test from "node:test";
import { openPage } from "./helper.mjs";

test("a running broker takes what Kafka calls dynamic, and refuses the rest in words", async (t) => {
  const { page } = await openPage(t);
  await page.locator(".member").first().waitFor();
  await page.getByRole("button", { name: "broker 1" }).first().click();
  const set = async (name, value) => {
    const field = page.getByRole("textbox", { name, exact: true });
    await field.fill(value);
    await field.blur();
  };
  await set("message.max.bytes", "120");
  await page.locator(".side .config[data-changed=true]").waitFor();
  await page.locator(".side .configs summary").click();
  await set("group.max.size", "2");
  await page.getByRole("alert").filter({ hasText: "when a broker starts" }).first().waitFor();
});
