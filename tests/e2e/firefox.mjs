// Firefox, driven by geckodriver over WebDriver (https://www.w3.org/TR/webdriver2/): as much of it as the
// tests need. Playwright drives only a Firefox of its own, which no distribution has.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { serve } from "../../tools/serve.mjs";
import { LAPTOP, PREFIX } from "./helper.mjs";

/** The property under which WebDriver names an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 50;

/** Keys by WebDriver's numbers for them. */
export const ENTER = "\uE007";
export const ESCAPE = "\uE00C";

/** What Firefox prints of a page that threw; of itself it prints much, too. */
const TROUBLE = /^JavaScript error: http/;

/** Geckodriver on a port that it chose: `{ url, problems, end }`; `problems` are the page's, in Firefox's words. */
async function startDriver() {
  const problems = [];
  const driver = spawn(process.env.GECKODRIVER, ["--port", "0"]);
  const url = await new Promise((resolve, reject) => {
    driver.once("error", reject);
    driver.once("exit", (code) => reject(new Error(`geckodriver ended with ${code}`)));
    for (const input of [driver.stdout, driver.stderr]) {
      createInterface({ input }).on("line", (line) => {
        const found = /Listening on ([\d.]+:\d+)/.exec(line);
        if (found) resolve(`http://${found[1]}`);
        if (TROUBLE.test(line)) problems.push(line);
      });
    }
  });
  return { url, problems, end: () => driver.kill() };
}

/** One command of WebDriver; what it answers, or an error in its words. */
async function command(method, url, body) {
  const answer = await fetch(url, { method, body: body && JSON.stringify(body), headers: { "content-type": "application/json" } });
  const { value } = await answer.json();
  if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

/** What a person does in a browser window. */
class Window {
  constructor(session) {
    this.session = session;
  }

  open = (url) => command("POST", `${this.session}/url`, { url });

  /** Runs `source` as a function's body in the page; what it returns. */
  run = (source, ...args) => command("POST", `${this.session}/execute/sync`, { script: source, args });

  /** Waits until `source` returns something true; returns it. */
  async until(source, ...args) {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const found = await this.run(source, ...args);
      if (found) return found;
      if (Date.now() > end) throw new Error(`never true: ${source}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /** Waits for the first element of a selector that is in sight. */
  find = (selector) => this.until("return [...document.querySelectorAll(arguments[0])].find((one) => one.getClientRects().length > 0) ?? null", selector);

  async click(selector) {
    const element = await this.find(selector);
    await command("POST", `${this.session}/element/${element[ELEMENT]}/click`, {});
  }

  /** Presses keys one after the other, wherever the focus is. */
  async press(keys) {
    const actions = [...keys].flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]);
    await command("POST", `${this.session}/actions`, { actions: [{ type: "key", id: "keyboard", actions }] });
  }
}

/**
 * Regroup in Firefox, mounted, for the test `t`, which also closes it. `language` is "en" or "ko".
 * The test fails if the page threw.
 */
export async function openFirefox(t, { language = "en" } = {}) {
  const server = await serve({ prefix: PREFIX });
  const driver = await startDriver();
  let session;
  t.after(async () => {
    const found = [...driver.problems];
    if (session) await command("DELETE", session);
    driver.end();
    await server.close();
    assert.deepEqual(found, [], "the page had no trouble that nobody saw");
  });
  const { sessionId } = await command("POST", `${driver.url}/session`, {
    capabilities: {
      alwaysMatch: {
        "moz:firefoxOptions": {
          args: ["-headless"],
          prefs: { "intl.accept_languages": language === "ko" ? "ko-KR,ko" : "en-US,en" },
        },
      },
    },
  });
  session = `${driver.url}/session/${sessionId}`;
  await command("POST", `${session}/window/rect`, LAPTOP);
  const window = new Window(session);
  await window.open(server.url);
  await window.find("#app > :not(#boot)");
  return window;
}
