// The page in Firefox: it runs, its views open, and what is done is seen, in both languages.

import assert from "node:assert/strict";
import test from "node:test";
import { ENTER, ESCAPE, openFirefox } from "./firefox.mjs";

const skip = process.env.GECKODRIVER ? false : "Firefox or its driver is missing: `./run setup` says more";
const COUNT_CHIPS = "return document.querySelectorAll('.member .chip').length === 6";
const CLOCK = "return document.querySelector('.clock').innerText";
const KILLED = { en: /c2 was killed/, ko: /c2.*강제 종료/ };

for (const language of ["en", "ko"]) {
  test(`Firefox: a consumer is killed, its partitions change hands, every view opens (${language})`, { skip }, async (t) => {
    const window = await openFirefox(t, { language });
    await window.until(COUNT_CHIPS);
    assert.equal(await window.run("return document.documentElement.lang"), language);
    const before = await window.run(CLOCK);
    await window.until("return document.querySelector('.clock').innerText !== arguments[0]", before);

    await window.click(`.member[data-party="client:c2"] .danger`);
    await window.find('.member[data-party="client:c2"][data-life="killed"]');
    await window.find('.tray[data-empty="false"]');
    assert.match(await window.run("return document.querySelector('.caption').innerText"), KILLED[language]);
    await window.press("+++");
    await window.until("return document.querySelector('.tray').dataset.empty === 'true'");
    assert.equal(await window.run("return document.querySelectorAll('.member[data-life=running] .chip').length"), 6);

    const tabs = await window.run("return [...document.querySelectorAll('[role=tab]')].map((tab) => tab.id)");
    assert.ok(tabs.length >= 8);
    for (const tab of tabs) {
      await window.click(`#${tab}`);
      await window.until("return document.getElementById(arguments[0]).getAttribute('aria-selected') === 'true' && document.querySelector('#panel > :not([role=status])') !== null", tab);
      assert.equal(await window.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0, tab);
    }

    await window.click(`#${tabs[0]}`);
    await window.click('.member[data-party="client:c1"] .name');
    await window.find('.side[data-open="true"] .config');
    await window.press(`${ESCAPE}o`);
    await window.find('.overlay .library button');
    await window.press(ESCAPE);
    await window.until("return document.querySelector('.overlay') === null");
    await window.run("document.querySelector('.transport .play').focus()");
    const stood = await window.run("return document.querySelector('.transport .play').getAttribute('aria-label')");
    await window.press(ENTER);
    await window.until("return document.querySelector('.transport .play').getAttribute('aria-label') !== arguments[0]", stood);
  });
}
