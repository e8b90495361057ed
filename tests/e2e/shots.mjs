// Pictures of the page for people to look at: each scene in every language, colour scheme and size,
// as shots/SCENE-LOOK.png, and all looks of a scene side by side in shots/index.html.
//
//   ./run shots [SCENE [LOOK]]      LOOK: a part of a look's name, such as ko-dark or 390

import { writeFileSync } from "node:fs";
import path from "node:path";
import { LOOKS, lookName, openPage, shot } from "./helper.mjs";

const member = (page, name) => page.locator(`.member[data-party="client:${name}"]`);
const press = (page, keys) => [...keys].reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

/** Opens a view. */
const view = (page, name) => page.locator(`#tab-${name}`).click();

/** Waits until virtual time has come to `seconds`. */
const until = (page, seconds) =>
  page.waitForFunction((seconds) => {
    const parts = document.querySelector(".clock").innerText.split(":").map(Number);
    return parts.reduce((sum, part) => sum * 60 + part, 0) >= seconds;
  }, seconds, { timeout: 120_000 });

/** Opens the sheet of a key. */
async function sheet(page, key) {
  await press(page, `k${key}`);
  await page.locator(".sheet").waitFor();
}

/** Lets c2 die at 6 s, and time run faster. */
async function kill(page) {
  await until(page, 6);
  await member(page, "c2").locator(".danger").click();
}

/** Runs until no partition lacks an owner. */
async function takeOver(page) {
  await kill(page);
  await press(page, "+++");
  await page.locator('.tray[data-empty="true"]').waitFor({ timeout: 120_000 });
}

/** What to do with a fresh page before its picture is taken. */
const SCENES = {
  start: async (page) => {
    await until(page, 6);
    await press(page, "k");
  },
  killed: async (page) => {
    await kill(page);
    await until(page, 9);
    await press(page, "k");
  },
  rebalancing: async (page) => {
    await until(page, 4);
    await press(page, "a");
    await page.locator('.state[data-state="PreparingRebalance"]').waitFor({ timeout: 60_000 });
    await page.locator('.tray[data-empty="false"]').waitFor({ timeout: 60_000 });
    await press(page, "k");
  },
  duplicates: async (page) => {
    await takeOver(page);
    await view(page, "Deliveries");
    await page.locator(".deliveries tbody tr").first().waitFor({ timeout: 120_000 });
    await press(page, "k");
  },
  why: async (page) => {
    await takeOver(page);
    await press(page, "k");
    await view(page, "Events");
    await page.locator(".caption .why").click();
  },
  lag: async (page) => {
    await until(page, 4);
    await member(page, "c1").getByRole("button").nth(0).click();
    const field = page.locator(".side .field-row").first().locator("input");
    await field.fill("400");
    await field.press("Enter");
    await field.evaluate((input) => input.blur());
    await press(page, ["Escape", ..."++"]);
    await view(page, "Lag");
    await until(page, 40);
    await press(page, "k");
  },
  many: async (page) => {
    await press(page, "aaaaa+++");
    await until(page, 30);
    await press(page, "k");
  },
  refused: async (page) => {
    await until(page, 4);
    await press(page, "k");
    await member(page, "c1").locator(".name").click();
    const field = page.locator(".config").filter({ hasText: "session.timeout.ms" }).locator("input");
    await field.fill("abc");
    await field.press("Enter");
    await page.locator(".field-error").waitFor();
  },
  table: async (page) => {
    await until(page, 6);
    await press(page, "k");
    await view(page, "Table");
    await page.locator(".tool .choices button").nth(1).click();
  },
  words: async (page) => {
    await kill(page);
    await until(page, 9);
    await press(page, "k");
    await view(page, "Words");
  },
  hint: async (page) => {
    await until(page, 5);
    await press(page, "k");
    await member(page, "c2").locator(".ring").first().click();
  },
  messages: async (page) => {
    await until(page, 6);
    await press(page, "k");
    await view(page, "Messages");
    await page.locator(".messages-list .request").first().click();
    await page.locator(".anatomy").first().waitFor();
  },
  lab: async (page) => {
    await press(page, "k");
    await view(page, "Lab");
    await page.locator(".lab-sums td").first().waitFor();
  },
  compare: async (page) => {
    await kill(page);
    await until(page, 9);
    await press(page, "k");
    await view(page, "Compare");
    await page.locator(".choices").first().waitFor();
  },
  group: async (page) => {
    await until(page, 6);
    await press(page, "k");
    await page.locator(".group .name").first().click();
  },
  scenarios: async (page) => sheet(page, "o"),
  incidents: async (page) => sheet(page, "i"),
  share: async (page) => sheet(page, "s"),
  keys: async (page) => sheet(page, "?"),
};

const wanted = process.argv[2];
if (wanted && !Object.hasOwn(SCENES, wanted)) {
  console.error(`There is no scene ${wanted}; there are: ${Object.keys(SCENES).join(", ")}`);
  process.exit(2);
}
const names = Object.keys(SCENES).filter((name) => !wanted || name === wanted);
let folder;
const looks = LOOKS.filter((look) => lookName(look).includes(process.argv[3] ?? ""));
for (const look of looks) {
  const endings = [];
  const { page, problems } = await openPage({ after: (end) => endings.push(end) }, look);
  for (const name of names) {
    if (problems.length > 0) break;
    await page.reload();
    // What ended because the page was left is not its trouble.
    problems.length = 0;
    await page.locator(".member").first().waitFor();
    await SCENES[name](page);
    // Parts of the program are fetched when they are wanted.
    await page.waitForLoadState("networkidle");
    await page.waitForFunction(() => ![...document.querySelectorAll('.note[role="status"], .quiet[role="status"]')].some((note) => note.innerText.endsWith("…")));
    const file = await shot(page, `${name}-${lookName(look)}`);
    folder = path.dirname(file);
    console.log(file);
  }
  for (const end of endings.reverse()) await end();
}

const picture = (name, look) => `<figure><img src="${name}-${lookName(look)}.png" loading="lazy"><figcaption>${lookName(look)}</figcaption></figure>`;
const scene = (name) => `<h2>${name}</h2><div>${looks.map((look) => picture(name, look)).join("")}</div>`;
writeFileSync(
  path.join(folder, "index.html"),
  `<!doctype html><meta charset="utf-8"><title>Pictures</title><style>
    body { font: 14px system-ui; } div { display: flex; flex-wrap: wrap; gap: 12px; }
    figure { margin: 0; } img { height: 420px; border: 1px solid #ccc; }
  </style>${names.map(scene).join("")}`,
);
