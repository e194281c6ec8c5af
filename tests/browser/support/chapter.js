// SPDX-License-Identifier: MIT
// Tests of every chapter in Chromium: its claims, axe in both themes on three screens, no sideways
// scroll.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildPage } from '../../../scripts/build-page.mjs';
import { at } from '../../../scripts/lib/files.mjs';
import { serve } from '../../../scripts/lib/serve.mjs';
import { sideways, violations } from './axe.js';
import { chromePath, launch } from './browser.js';
import { waitUntilDrawn, openPage, sentenceOf, set } from './page.js';

const chrome = chromePath();
export const skip = chrome
  ? false
  : 'no Chromium or Chrome on this machine (CHROME_PATH names one elsewhere)';

/**
 * Builds and serves the page for a suite. `open(hash, options)` opens it at a chapter. With `whole`
 * it waits until all chapters are loaded, so that nothing moves under the pointer.
 */
export function servePage(chapter) {
  let browser;
  let server;
  before(async () => {
    await buildPage();
    server = await serve(at('dist', 'page'), { compress: true });
    browser = await launch(chrome);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });
  return async (hash = `#v1/${chapter}`, { whole = true, ...options } = {}) => {
    const tab = await openPage(browser, `${server.url}${hash}`, { chapter, ...options });
    if (whole) {
      await tab.page.waitForSelector('html[data-complete]');
      await waitUntilDrawn(tab.page, chapter);
    }
    return tab;
  };
}

/**
 * Tests claims of a chapter. Each is `{ name, hash, set?, click?, says, count? }`: `click` is a
 * selector, and `count` maps selectors to the number of elements that they must find.
 */
export function testClaims(open, chapter, claims) {
  for (const { name, hash, set: values, click, says, count = {} } of claims) {
    test(`claim: ${name}`, async () => {
      const { page, faults } = await open(hash, { whole: false });
      if (values) await set(page, chapter, values);
      if (click) {
        await page.$eval(click, (button) => button.click());
        await waitUntilDrawn(page, chapter);
      }
      assert.match(await sentenceOf(page, chapter), says);
      for (const [selector, expected] of Object.entries(count)) {
        const actual = await page.$$eval(selector, (elements) => elements.length);
        assert.equal(actual, expected, selector);
      }
      assert.deepEqual(faults, []);
      await page.close();
    });
  }
}

export function testAccess(open, chapter, hashes = [`#v1/${chapter}`]) {
  for (const theme of ['light', 'dark']) {
    for (const width of [320, 375, 1280]) {
      test(`axe finds nothing and nothing overflows, ${theme}, ${width}`, async () => {
        for (const hash of hashes) {
          const { page } = await open(hash, { theme, width, whole: false });
          assert.equal((await violations(page, `#${chapter}`)).slice(0, 3).join('\n'), '', hash);
          assert.ok((await sideways(page)) <= 0, `${hash} scrolls sideways`);
          await page.close();
        }
      });
    }
  }
}
