// SPDX-License-Identifier: MIT
// Tests of every chapter in Chromium: axe in both themes on three screens, no sideways scroll.
// `testEngine` tests their claims.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildPageIfChanged } from '../../../scripts/build-page.mjs';
import { at } from '../../../scripts/lib/files.mjs';
import { serve } from '../../../scripts/lib/serve.mjs';
import { sideways, sizeRules, violationsInThemes } from './axe.js';
import { launchChrome } from './browser.js';
import { waitUntilDrawn, openPage } from './page.js';

export { skip } from './browser.js';

/** Lets the browser keep the files, and the code compiled from them, for all tests of a suite. */
const kept = { 'cache-control': 'max-age=3600' };

/**
 * Builds and serves the page for a suite, and starts Chromium. The result has `server` and
 * `browser` as soon as tests run. `options` are those of `serve`.
 */
export function pageInChrome(options) {
  const site = {};
  before(async () => {
    await buildPageIfChanged();
    site.server = await serve(at('dist', 'page'), options);
    site.browser = await launchChrome();
  });
  after(async () => {
    await site.browser?.close();
    await site.server?.close();
  });
  return site;
}

/**
 * Serves the page for the suite of a chapter. `open(hash, options)` opens it at the chapter. With
 * `whole` it waits until all chapters are loaded, so that nothing moves under the pointer.
 */
export function servePage(chapter) {
  const site = pageInChrome({ headers: kept });
  return async (hash = `#v1/${chapter}`, { whole = true, ...options } = {}) => {
    const tab = await openPage(site.browser, `${site.server.url}${hash}`, { chapter, ...options });
    if (whole) {
      await tab.page.waitForSelector('html[data-complete]');
      await waitUntilDrawn(tab.page, chapter);
    }
    return tab;
  };
}

/**
 * Tests a chapter on three screens. Each address is opened once, because that takes longest; the
 * pages stay open until the browser closes. No rule of the styles differs between 375 and 320
 * pixels, so that the second width needs the rules of sizes and colours only.
 */
export function testAccess(open, chapter, hashes = [`#v1/${chapter}`]) {
  const pages = new Map();
  const at = async (hash) => {
    if (!pages.has(hash)) pages.set(hash, (await open(hash, { whole: false })).page);
    return pages.get(hash);
  };
  for (const width of [1280, 375, 320]) {
    test(`axe finds nothing and nothing overflows in both themes, ${width}`, async () => {
      for (const hash of hashes) {
        const page = await at(hash);
        await resize(page, width);
        const rules = width === 320 ? sizeRules : undefined;
        assert.equal(await violationsInThemes(page, `#${chapter}`, rules), '', hash);
        assert.ok((await sideways(page)) <= 0, `${hash} scrolls sideways`);
      }
    });
  }
}

/** Changes the width of a page, and waits until it is drawn again. */
export async function resize(page, width) {
  // Tabs behind another one draw no frames.
  await page.bringToFront();
  await page.setViewport({ width, height: 800 });
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}
