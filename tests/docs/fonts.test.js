// SPDX-License-Identifier: MIT
// The fonts of the docs are there at the first paint, or not on that page: a font that comes late
// moves nothing that is being read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteInChrome, skip } from './support/site.js';

const paths = ['', 'guides/masks.html', 'training.html', 'api/maskflow/classes/LSTM.html'];
const delayMs = 1000;
const site = siteInChrome();

/** Adds up what moves from the first paint on, in `window.shift`. */
const recordShift = () => {
  window.shift = { sum: 0, moved: [] };
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      window.shift.sum += value;
      window.shift.moved.push(...sources.map(({ node }) => node?.className || node?.nodeName));
    }
  }).observe({ type: 'layout-shift', buffered: true });
};

/** Returns whether the first lines of the page are as wide as in the font of their name. */
const hasFont = () => {
  const text = document.querySelector('.vp-doc p');
  const width = (family) => {
    const probe = document.createElement('span');
    probe.style.cssText = `position: absolute; visibility: hidden; white-space: nowrap; font-family: ${family}`;
    probe.textContent = 'Masks and the sequences they belong to';
    text.append(probe);
    const { width } = probe.getBoundingClientRect();
    probe.remove();
    return width;
  };
  const family = '"Atkinson Hyperlegible Next"';
  return width(`${family}, monospace`) === width('inherit') && width('monospace') !== width(family);
};

/** Opens a page whose fonts answer after `delay` ms. Returns its shift and the fonts fetched. */
async function visit(path, { width, delay }) {
  const context = await site.browser.createBrowserContext();
  const page = await context.newPage();
  const fonts = new Set();
  try {
    await page.setViewport({ width, height: 844 });
    await page.evaluateOnNewDocument(recordShift);
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const isFont = request.url().endsWith('.woff2');
      if (isFont) fonts.add(request.url().split('/').pop());
      setTimeout(() => request.continue().catch(() => {}), isFont ? delay : 0);
    });
    await page.goto(`${site.server.url}docs/${path}`, { waitUntil: 'networkidle0' });
    await page.evaluate(() => document.fonts.ready);
    // A shift is reported after the frame that has it.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 200)));
    const shift = await page.evaluate(() => window.shift);
    return { ...shift, shown: await page.evaluate(hasFont), fonts: [...fonts].sort() };
  } finally {
    await context.close();
  }
}

for (const path of paths) {
  for (const width of [390, 1280]) {
    test(`${path || 'the top'}, ${width} px: fonts 1 s late move nothing`, { skip }, async () => {
      const { sum, moved, fonts } = await visit(path, { width, delay: delayMs });
      assert.ok(sum < 0.002, `${sum}, ${moved.join('; ')}`);
      assert.deepEqual(fonts, ['atkinson-mono.woff2', 'atkinson-next.woff2']);
    });
  }
}

test('fonts that come with the page are its fonts', { skip }, async () => {
  // Under load the page may be shown before them.
  for (let visits = 0; visits < 5; visits++) {
    const { shown, sum } = await visit('guides/masks.html', { width: 1280, delay: 0 });
    assert.ok(sum < 0.002, String(sum));
    if (shown) return;
  }
  assert.fail('five visits had the stand-ins');
});

test('a page without its fonts is shown', { skip }, async () => {
  const page = await site.browser.newPage();
  await page.setRequestInterception(true);
  page.on('request', (request) =>
    request.url().endsWith('.woff2') ? request.abort() : request.continue(),
  );
  await page.goto(`${site.server.url}docs/guides/masks.html`, { waitUntil: 'load' });
  await page.waitForFunction(
    () => getComputedStyle(document.querySelector('#app')).visibility === 'visible',
  );
  await page.close();
});
