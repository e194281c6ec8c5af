// SPDX-License-Identifier: MIT
// The demo page for everybody: screen readers (axe), the keyboard, narrow screens, both themes; links
// that bring settings back; the page opened from a folder; nothing that jumps while it loads.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildDemo } from '../../scripts/build-demo.mjs';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/serve.mjs';
import { chromePath, launch } from './support/browser.js';
import { masks, openDemo, problem, said, set, settled, text } from './support/demo-page.js';
import { openBoxes, openFiles, showModel } from './support/models-panel.js';

const chrome = chromePath();
const skip = chrome
  ? false
  : 'no Chromium or Chrome on this machine (CHROME_PATH names one elsewhere)';
const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const panels = ['padding', 'makers', 'follow', 'split', 'custom', 'states', 'models'];

suite('demo page for everybody', { skip }, () => {
  let browser;
  let server;

  before(async () => {
    await buildDemo();
    server = await serve(at('dist', 'demo'));
    browser = await launch(chrome);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  // What cannot be seen by default: broken models, errors, opened code, the other custom layers.
  const unusual = [
    { models: { model: 'brackets' } },
    {
      follow: { model: 'plus' },
      custom: { layer: 'activation', supports: false },
      models: { model: 'sensor' },
    },
    {
      split: { parts: '4' },
      custom: { layer: 'softmax' },
      makers: { maskZero: false },
      models: { model: 'adding' },
    },
    { models: { model: 'brackets', brackets: 'x' } },
    { models: { model: 'own' } },
  ];
  for (const theme of ['light', 'dark']) {
    for (const width of [1280, 360]) {
      test(`axe finds nothing: ${theme}, ${width} px`, async () => {
        const { page } = await openDemo(browser, server.url, { theme, width });
        await page.setBypassCSP(true);
        await page.reload();
        await page.waitForFunction(() => /ready in/.test(document.body.textContent));
        await page.addScriptTag({ path: axePath });
        for (const settings of unusual) {
          for (const [panel, values] of Object.entries(settings)) await set(page, panel, values);
          if (settings.models.model === 'own') {
            await openFiles(page, at('tests', 'fixtures', 'models', 'seq_masking_lstm_td.keras'));
          } else {
            await showModel(page, settings.models.model);
          }
          await page.$$eval('details', (all) => {
            for (const each of all) each.open = true;
          });
          await settled(page);
          const found = await page.evaluate(async () => {
            const { violations } = await globalThis.axe.run(document, {
              resultTypes: ['violations'],
            });
            return violations.flatMap(({ id, nodes }) =>
              nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
            );
          });
          assert.deepEqual(found, [], JSON.stringify(settings));
        }
        await page.close();
      });
    }
  }

  for (const width of [360, 768]) {
    test(`${width} px: the page never scrolls sideways, what is wide scrolls by itself`, async () => {
      const { page } = await openDemo(browser, server.url, { width });
      const long = 'a b c d e f g h i j k l m n o p';
      for (const words of ['', `${long}\none`]) {
        if (words) await set(page, 'padding', { text: words });
        for (const layer of ['embedding', 'activation', 'softmax']) {
          await set(page, 'custom', { layer });
          const extra = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          assert.equal(extra, 0, `${layer}, ${words}`);
        }
      }
      for (const model of ['brackets', 'sensor', 'adding', 'own']) {
        if (model === 'own') {
          await openFiles(page, at('tests', 'fixtures', 'models', 'seq_masking_lstm_td.keras'));
        } else {
          await showModel(page, model);
          if (model !== 'adding') await set(page, 'models', { more: '24' });
        }
        await openBoxes(page);
        const extra = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.equal(extra, 0, model);
      }
      const unreachable = await page.$$eval('.scroll', (boxes) =>
        boxes
          .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
          .filter((box) => box.tabIndex !== 0)
          .map((box) => box.dataset.label),
      );
      assert.deepEqual(unreachable, []);
      await page.close();
    });
  }

  test('the keyboard alone reaches and works every control, in order, with a visible focus', async () => {
    const { page } = await openDemo(browser, server.url);
    // The last panel fetches its model when it comes near, and has its boxes from then on.
    await showModel(page, 'brackets');
    const seen = new Set();
    let last = -1;
    for (let press = 0; press < 200; press++) {
      await page.keyboard.press('Tab');
      const { section, what, outlined, top } = await page.evaluate(() => {
        const element = document.activeElement;
        const host = element.closest('label') ?? element;
        const style = (each) => getComputedStyle(each);
        return {
          section: element.closest('section')?.id,
          what: `${element.tagName} ${element.name ?? ''} ${element.textContent.trim().slice(0, 30)}`,
          outlined: [element, host].some((each) => style(each).outlineStyle !== 'none'),
          top: element.getBoundingClientRect().height > 0,
        };
      });
      if (what.startsWith('BODY')) break;
      assert.ok(outlined && top, `no visible focus on ${what}`);
      if (section) {
        const place = panels.indexOf(section);
        assert.ok(place >= last, `${section} comes after ${panels[last]}`);
        last = place;
        seen.add(`${section} ${what.split(' ').slice(0, 2).join(' ')}`.trim());
      }
    }
    for (const control of [
      'padding TEXTAREA text',
      'padding INPUT padding',
      'padding INPUT maxlen',
      'padding SUMMARY',
      'makers INPUT maskZero',
      'makers TEXTAREA row0',
      'makers INPUT maskValue',
      'follow INPUT model',
      'follow INPUT rules',
      'split INPUT parts',
      'custom INPUT layer',
      'states INPUT more',
      'states BUTTON',
      'models INPUT model',
      'models INPUT brackets',
      'models SELECT',
      'models BUTTON',
      'models INPUT more',
      'models SUMMARY',
    ]) {
      assert.ok(seen.has(control), `${control} was not reached; seen: ${[...seen]}`);
    }
    // A radio group is one stop; arrows move in it.
    await page.focus('#follow [name="model"][value="lstm"]');
    await page.keyboard.press('ArrowDown');
    await settled(page);
    assert.match(await said(page, 'follow'), /by up to/);
    await page.close();
  });

  test('the skip link and the panel links move the focus with the eye', async () => {
    const { page } = await openDemo(browser, server.url);
    await page.keyboard.press('Tab');
    assert.equal(
      await page.evaluate(() => document.activeElement.textContent),
      'Skip to the first panel',
    );
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'padding-title');
    await page.click('nav a[href="#split"]');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'split-title');
    const top = await page.$eval('#split-title', (title) => title.getBoundingClientRect().top);
    assert.ok(top > 40 && top < 200, `the title stands at ${top}`);
    await page.close();
  });

  test('a link brings panel and settings back', async () => {
    const { page } = await openDemo(browser, server.url);
    await set(page, 'padding', { text: 'good day & good night\nhi', padding: 'pre' });
    await set(page, 'states', { more: '2', zero: true });
    await set(page, 'split', { parts: '3', computes: false });
    const link = await page.evaluate(() => location.href);
    const words = [await said(page, 'padding'), await said(page, 'states')];
    assert.match(link, /#split&/);
    await page.close();

    const again = await openDemo(browser, link);
    assert.deepEqual([await said(again.page, 'padding'), await said(again.page, 'states')], words);
    assert.match(await problem(again.page, 'split'), /\w+Error: /);
    assert.equal(await again.page.evaluate(() => document.activeElement.id), 'split-title');
    assert.equal(await again.page.evaluate(() => location.href), link);
    // The same page with another address: back to the defaults.
    await again.page.evaluate(() => {
      location.hash = '#padding';
    });
    await settled(again.page);
    await settled(again.page);
    assert.equal(await said(again.page, 'padding'), '4 of 18 cells are padding (22 %).');
    await again.page.close();
  });

  test('the theme follows the system, then the button', async () => {
    const { page } = await openDemo(browser, server.url, { theme: 'dark' });
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await paper();
    await page.click('[data-theme-button]');
    assert.equal(await text(page, '[data-theme-name]'), 'light');
    assert.notEqual(await paper(), dark);
    await page.reload();
    assert.equal(await text(page, '[data-theme-name]'), 'light');
    await page.click('[data-theme-button]');
    assert.equal(await paper(), dark);
    await page.evaluate(() => localStorage.clear());
    await page.close();
  });

  test('nothing jumps while the page starts', async () => {
    const { page } = await openDemo(browser, server.url);
    const shift = await page.evaluate(
      () =>
        new Promise((done) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += entry.value;
          }).observe({ type: 'layout-shift', buffered: true });
          setTimeout(() => done(sum), 200);
        }),
    );
    assert.ok(shift < 0.1, `layout shift ${shift}`);
    await page.close();
  });

  test('opened from a folder it runs as well', async () => {
    const url = `${pathToFileURL(at('dist', 'demo', 'index.html'))}#split`;
    const { page, faults } = await openDemo(browser, url);
    assert.deepEqual(await masks(page, 'split', 'parts'), [
      ['TTT', 'TTT', 'TTT'],
      ['FFF', 'TTF', 'TTT'],
    ]);
    assert.deepEqual(faults, []);
    await page.close();
  });
});
