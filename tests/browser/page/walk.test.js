// SPDX-License-Identifier: MIT
// The page as a reader sees it on several screens: letters that can be read, text that nothing
// crosses, figures that fit.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { at as pathTo } from '../../../scripts/lib/files.mjs';
import { sideways } from '../support/axe.js';
import { pageInChrome, skip } from '../support/chapter.js';
import { openPage, waitUntilDrawn } from '../support/page.js';

const order = JSON.parse(readFileSync(pathTo('page', 'chapters', 'order.json'), 'utf8'));
const chapters = order.filter(({ nav }) => nav !== undefined).map(({ id }) => id);

suite('a walk through the page', { skip }, () => {
  const site = pageInChrome();

  const pages = new Map();
  /** Returns the page of this width, which tests only look at. */
  const at = (width) => {
    if (!pages.has(width)) pages.set(width, open(width));
    return pages.get(width);
  };

  /** Opens the page with all chapters drawn, and all questions answered. */
  const open = async (width) => {
    const { page } = await openPage(site.browser, site.server.url, { width, height: 900 });
    await page.waitForSelector('html[data-complete]');
    for (const id of chapters) await waitUntilDrawn(page, id);
    await page.$$eval('.reveal', (all) => {
      for (const each of all) each.click();
    });
    for (const id of chapters) await waitUntilDrawn(page, id);
    await page.waitForFunction(() => document.fonts.status === 'loaded');
    return page;
  };

  for (const width of [1440, 1024, 768]) {
    test(`letters are at least 12 pixels high, ${width}`, async () => {
      const page = await at(width);
      assert.deepEqual(await page.evaluate(smallTexts, 12), []);
    });
  }

  for (const width of [1440, 1024, 768, 390]) {
    test(`the column of the chosen step crosses no text but its own, ${width}`, async () => {
      const page = await at(width);
      assert.equal(await page.$eval('.strand', (strand) => strand.hidden), false);
      assert.deepEqual(await page.evaluate(textsOverStrand), []);
    });

    test(`nothing scrolls sideways, ${width}`, async () => {
      const page = await at(width);
      assert.ok((await sideways(page)) <= 0);
      assert.deepEqual(await page.evaluate(scrolledBoxes), []);
    });
  }

  test('nothing hides the band of the mask beside its letters', async () => {
    const grounds = await (await at(1024)).$$eval('#flow .built .mini th', (heads) =>
      heads.map((head) => getComputedStyle(head).backgroundColor),
    );
    assert.ok(grounds.length > 0);
    assert.deepEqual([...new Set(grounds)], ['rgba(0, 0, 0, 0)']);
  });

  test('on a phone the scale of a track is in one line', async () => {
    const lines = await (await at(390)).$$eval('#steps .unit small', (all) =>
      all.map((each) => each.getClientRects().length && each.offsetHeight),
    );
    assert.ok(lines.length > 0 && lines.every((height) => height < 20), lines.join());
  });

  test('charts keep the size of their letters on a tablet', async () => {
    const page = await at(768);
    const sizes = await page.$$eval('#learning .chart', (charts) =>
      charts.map((chart) => chart.getScreenCTM().a),
    );
    assert.equal(sizes.length, 2);
    for (const size of sizes) assert.ok(size > 0.9 && size < 1.1, `${size}`);
  });

  test('each chapter fits a frame of 370 pixels, which names its source in one line', async () => {
    for (const id of [...chapters, 'stream', 'truth']) {
      const { page } = await openPage(site.browser, `${site.server.url}?chapter=${id}&embed`, {
        chapter: id,
        width: 370,
      });
      await waitUntilDrawn(page, id);
      assert.ok((await sideways(page)) <= 0, id);
      assert.deepEqual(await page.evaluate(scrolledBoxes), [], id);
      assert.equal(await page.$eval('.from', (from) => getComputedStyle(from).display), 'block');
      await page.close();
    }
  });

  test('only explained words are underlined as such', async () => {
    const page = await at(1440);
    const underlined = await page.$$eval('.word', (all) =>
      all
        .filter((each) => !('word' in each.dataset))
        .filter((each) => getComputedStyle(each).borderBottomStyle !== 'none')
        .map((each) => each.textContent),
    );
    assert.deepEqual(underlined, []);
  });

  test('with forced colours empty corners of tables have no border, masked tracks a thin one', async () => {
    const { page } = await openPage(site.browser, site.server.url);
    const session = await page.createCDPSession();
    await session.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'forced-colors', value: 'active' }],
    });
    await waitUntilDrawn(page, 'steps');
    assert.deepEqual(
      await page.$$eval('.grid thead td', (all) =>
        all
          .map((each) => getComputedStyle(each).borderTopStyle)
          .filter((style) => style !== 'none'),
      ),
      [],
    );
    const widths = await page.$$eval('.track .column.masked', (all) =>
      all.map((each) => getComputedStyle(each).borderTopWidth),
    );
    assert.ok(widths.length > 0 && widths.every((width) => width === '1px'), widths.join());
    await page.close();
  });

  test('the sentence of the first zero moves nothing below it', async () => {
    const { page } = await openPage(site.browser, site.server.url);
    for (const width of [320, 375, 390, 1280]) {
      await page.goto('about:blank');
      await page.setViewport({ width, height: 800 });
      await page.goto(site.server.url);
      await waitUntilDrawn(page, 'proof');
      await page.waitForFunction(() => document.fonts.status === 'loaded');
      const top = () => page.$eval('#proof .more', (each) => each.offsetTop);
      const before = await top();
      await page.click('[data-add]');
      await page.waitForSelector('#proof.fallen');
      await waitUntilDrawn(page, 'proof');
      assert.equal(await top(), before, `${width}`);
    }
    await page.close();
  });

  test('no rule crosses the invitation of the toy', async () => {
    const { page } = await openPage(site.browser, site.server.url);
    assert.equal(await page.$$eval('.invitation', ({ length }) => length), 1);
    assert.equal(await page.$$eval('.curves .middle', ({ length }) => length), 0);
    await page.click('[data-add]');
    await page.waitForSelector('.curves .middle');
    await page.close();
  });
});

/** Returns the texts whose letters are smaller than `least` pixels on the screen. */
function smallTexts(least) {
  const isSeen = (element) => element.checkVisibility() && !element.closest('.unseen');
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !isSeen(element)) continue;
    const matrix = element.closest('svg') ? element.getScreenCTM?.() : undefined;
    const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1;
    const size = Number.parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < least - 0.3)
      found.push(`${element.closest('section')?.id}: ${node.data.trim()} ${size.toFixed(1)}`);
  }
  return found;
}

/** Returns the texts before the column of the chosen step, which no ground of their own hides. */
function textsOverStrand() {
  const strand = document.querySelector('.strand').getBoundingClientRect();
  const own = 'td, thead th, .column, .point';
  const isBare = (element) => {
    for (let each = element; each && !each.matches('main'); each = each.parentElement)
      if (getComputedStyle(each).backgroundColor !== 'rgba(0, 0, 0, 0)') return false;
    return true;
  };
  const found = [];
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility() || element.closest(own)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const crosses = [...range.getClientRects()].some(
      (box) =>
        box.width > 1 &&
        box.left < strand.right - 1 &&
        box.right > strand.left + 1 &&
        box.top < strand.bottom &&
        box.bottom > strand.top,
    );
    if (crosses && isBare(element))
      found.push(`${element.closest('section')?.id}: ${node.data.trim()}`);
  }
  return found;
}

/** Returns the boxes whose content is wider than they are. */
function scrolledBoxes() {
  return [...document.querySelectorAll('main .scroll, main .unrolled')]
    .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
    .map((box) => `${box.closest('section').id}: ${box.scrollWidth} > ${box.clientWidth}`);
}
