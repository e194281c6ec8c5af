// SPDX-License-Identifier: MIT
// Tests of every chapter in Chromium: axe in both themes on three screens, no sideways scroll.
// `testEngine` tests their claims.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildPageIfChanged } from '../../../scripts/build-page.mjs';
import { at } from '../../../scripts/lib/files.mjs';
import { serve } from '../../../scripts/lib/serve.mjs';
import { sideways, violations } from './axe.js';
import { chromePath, launch } from './browser.js';
import { waitUntilDrawn, openPage, setTheme, themes } from './page.js';

const chrome = chromePath();
export const skip = chrome
  ? false
  : 'no Chromium or Chrome on this machine (CHROME_PATH names one elsewhere)';

/** Lets the browser keep the files, and the code compiled from them, for all tests of a suite. */
const kept = { 'cache-control': 'max-age=3600' };

/**
 * Builds and serves the page for a suite. `open(hash, options)` opens it at a chapter. With `whole`
 * it waits until all chapters are loaded, so that nothing moves under the pointer.
 */
export function servePage(chapter) {
  let browser;
  let server;
  before(async () => {
    await buildPageIfChanged();
    server = await serve(at('dist', 'page'), { headers: kept });
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

/** Each page is opened once for both themes; opening it takes longer than the checks. */
export function testAccess(open, chapter, hashes = [`#v1/${chapter}`]) {
  for (const width of [320, 375, 1280]) {
    test(`axe finds nothing and nothing overflows in both themes, ${width}`, async () => {
      for (const hash of hashes) {
        const { page } = await open(hash, { width, whole: false });
        for (const theme of themes) {
          await setTheme(page, theme);
          const found = await violations(page, `#${chapter}`);
          assert.equal(found.slice(0, 3).join('\n'), '', `${hash}, ${theme}`);
          assert.ok((await sideways(page)) <= 0, `${hash} scrolls sideways, ${theme}`);
        }
        await page.close();
      }
    });
  }
}
