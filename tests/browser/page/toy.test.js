// SPDX-License-Identifier: MIT
// The toy of chapter 0: it plays its fall once, and every part of it is a handle.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pageInChrome, servePage, skip } from '../support/chapter.js';
import { sideways } from '../support/axe.js';
import { openPage, sentenceOf, text, waitUntilDrawn } from '../support/page.js';
import { sourceLink } from '../../../scripts/build-page.mjs';

/**
 * Holds the timer of the toy's pause: on a busy machine it may end before the test clicks. The
 * page's other timers run.
 */
const holdPause = (page) =>
  page.evaluateOnNewDocument(() => {
    const { setTimeout: start, clearTimeout: stop } = window;
    const pause = 1400;
    window.held = new Map();
    let id = 1e9;
    window.setTimeout = (run, milliseconds, ...rest) => {
      if (milliseconds !== pause) return start(run, milliseconds, ...rest);
      window.held.set(++id, run);
      return id;
    };
    window.clearTimeout = (timer) => window.held.delete(timer) || stop(timer);
  });

suite('the toy', { skip }, () => {
  const open = servePage('proof');
  const site = pageInChrome();
  const first = (options) => openPage(site.browser, site.server.url, options);
  /** Opens the page with motion; the zero that comes by itself waits for `passPause`. */
  const firstHeld = () => first({ motion: 'no-preference', prepare: holdPause });
  const passPause = (page) =>
    page.evaluate(() => {
      const due = [...window.held.values()];
      window.held.clear();
      for (const run of due) run();
      return due.length;
    });
  const pads = (page) => page.$eval('#proof [data-slot="pads"]', (slot) => slot.textContent);
  const hasZeros = (page, number) =>
    page.waitForFunction(
      (expected) =>
        document.querySelector('#proof [data-slot="pads"]').textContent === expected &&
        document.querySelector('#proof').dataset.drawn === 'yes',
      { polling: 50 },
      String(number),
    );

  test('the first view plays once: the zero, the needle and the sentence change in one frame', async () => {
    const { page, faults } = await firstHeld();
    assert.equal(await pads(page), '0');
    // Notes each state that a frame shows.
    await page.evaluate(() => {
      window.states = new Set();
      const note = () => {
        const zeros = document.querySelectorAll('#proof .places .masked').length;
        const answer = document.querySelectorAll('#proof .answer')[1].textContent;
        const says = document.querySelector('#proof .says').textContent;
        window.states.add(`${zeros} ${/not/.test(answer)} ${says.startsWith('The model read')}`);
        requestAnimationFrame(note);
      };
      note();
    });
    assert.equal(await text(page, '#proof [data-play]'), 'Pause');
    const entries = await page.evaluate(() => history.length);
    assert.equal(await passPause(page), 1);
    await hasZeros(page, 1);
    // The frame that shows it may come later.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    assert.deepEqual(await page.evaluate(() => [...window.states]), [
      '0 false false',
      '1 true true',
    ]);
    assert.equal(await page.$$eval('#proof .masked.new', ({ length }) => length), 1);
    assert.equal(await page.evaluate(() => history.length), entries);
    // It plays again on request, and only then.
    assert.equal(await passPause(page), 0);
    assert.equal(await pads(page), '1');
    await page.click('#proof [data-play]');
    await hasZeros(page, 0);
    assert.equal(await passPause(page), 1);
    await hasZeros(page, 1);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('a link that sets the zeros meanwhile is not overruled', async () => {
    const { page, faults } = await first({ motion: 'no-preference' });
    await page.evaluate(() => {
      location.hash = '#v1/proof?proof.pads=5';
    });
    await hasZeros(page, 5);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    assert.equal(await pads(page), '5');
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('it can be paused; a visitor who does something is not disturbed', async () => {
    for (const act of [
      (page) => page.click('#proof [data-play]'),
      (page) => page.click('#proof-text'),
    ]) {
      const { page } = await firstHeld();
      await act(page);
      assert.equal(await text(page, '#proof [data-play]'), 'Play again');
      assert.equal(await passPause(page), 0);
      assert.equal(await pads(page), '0');
      await page.close();
    }
  });

  test('nothing moves when the button of the play comes, and changes its text', async () => {
    for (const width of [320, 390, 430, 768, 1280]) {
      const { page } = await openPage(site.browser, site.server.url, {
        motion: 'no-preference',
        width,
        prepare: async (tab) => {
          await holdPause(tab);
          await tab.evaluateOnNewDocument(() => {
            window.places = [];
            const note = () => {
              const parts = document.querySelectorAll('#proof .more > *');
              const ending = document.querySelector('#proof .ending');
              if (document.fonts.status === 'loaded' && ending) {
                const boxes = [...parts, ending].filter((each) => each.checkVisibility());
                // Fractions of pixels come from fonts.
                const place = ({ left, top }) => [left, top + scrollY].map(Math.round).join();
                const all = boxes.map((each) => place(each.getBoundingClientRect())).join(' ');
                if (window.places.at(-1) !== all) window.places.push(all);
              }
              requestAnimationFrame(note);
            };
            requestAnimationFrame(note);
          });
        },
      });
      await page.evaluate(() => document.fonts.ready);
      assert.equal(await passPause(page), 1);
      await hasZeros(page, 1);
      await page.click('#proof [data-play]');
      await hasZeros(page, 0);
      const places = await page.evaluate(() => window.places);
      assert.equal(new Set(places).size, 1, `${width}: ${places.join(' | ')}`);
      await page.close();
    }
  });

  test('a page that opens at another chapter offers the play', async () => {
    const { page } = await openPage(site.browser, `${site.server.url}#v1/padding`, {
      motion: 'no-preference',
    });
    assert.equal(await text(page, '#proof [data-play]'), 'Play');
    await page.close();
  });

  test('it is still under reduced motion, and in a link with settings', async () => {
    const { page } = await first({ motion: 'reduce' });
    const { page: linked } = await openPage(
      site.browser,
      `${site.server.url}#v1/proof?proof.text=()`,
      { motion: 'no-preference' },
    );
    await new Promise((resolve) => setTimeout(resolve, 2000));
    for (const each of [page, linked]) {
      assert.equal(await pads(each), '0');
      assert.equal(await each.$eval('#proof [data-play]', ({ hidden }) => hidden), true);
      await each.close();
    }
  });

  /** Returns places in the row: `at(x)` is the point x tiles to the right of the first place. */
  const rowOf = async (page) => {
    const box = await page.$eval('#proof .places', (each) => {
      const { left, top, width, height } = each.getBoundingClientRect();
      return { left, width, y: top + height / 2, top };
    });
    return { ...box, at: (tiles) => box.left + (tiles * box.width) / 12 };
  };

  for (const touch of [false, true]) {
    test(`the row is a handle as a whole by ${touch ? 'touch' : 'mouse'}, and 24 px beside it`, async () => {
      const { page } = await open('#v1/proof?proof.pads=2', touch ? { width: 390 } : {});
      const drag = async (x, y, toX) => {
        if (touch) {
          await page.touchscreen.touchStart(x, y);
          for (let part = 1; part <= 6; part++)
            await page.touchscreen.touchMove(x + ((toX - x) * part) / 6, y);
          await page.touchscreen.touchEnd();
        } else {
          await page.mouse.move(x, y);
          await page.mouse.down();
          await page.mouse.move(toX, y, { steps: 6 });
          await page.mouse.up();
        }
      };
      const row = await rowOf(page);
      // From an empty place, a letter, a zero, the edge, and from within 24 px of the edge.
      const tile = row.width / 12;
      const starts = [row.at(8.5), row.at(-1.5), row.at(0.5), row.at(2), row.at(2) + 20];
      for (const [index, x] of starts.entries()) {
        await drag(x, row.y, x + 2 * tile);
        await hasZeros(page, 4);
        await drag(x + 2 * tile, index % 2 ? row.y : row.top - 8, x);
        await hasZeros(page, 2);
      }
      const tap = touch
        ? page.touchscreen.tap.bind(page.touchscreen)
        : page.mouse.click.bind(page.mouse);
      await tap(row.at(6.5), row.y);
      await hasZeros(page, 7);
      // A tap on a zero empties its place.
      await tap(row.at(4.5), row.y);
      await hasZeros(page, 4);
      assert.ok((await sideways(page)) <= 0);
      await page.close();
    });
  }

  test('needle and rim have the same angle', async () => {
    const { page } = await open('#v1/proof?proof.pads=1');
    const angles = await page.$$eval('#proof .dial-face', (all) =>
      all.map((face) => [
        Number(face.style.getPropertyValue('--share')),
        Number.parseFloat(getComputedStyle(face.querySelector('.needle')).rotate),
      ]),
    );
    assert.equal(angles.length, 2);
    // The rim is half a circle.
    for (const [share, angle] of angles) assert.ok(Math.abs(angle - (share - 0.5) * 180) < 0.1);
    await page.close();
  });

  test('it says why rows get zeros, what maskflow is, and one sentence to quote', async () => {
    const { page } = await open('');
    assert.match(await text(page, '#proof .question p'), /^A batch is a rectangle: zeros fill/);
    assert.match(await text(page, '.hero .facts'), /^maskflow runs Keras’s padding, masking and/);
    assert.ok(await page.$('.hero a[href="docs/"]'));
    assert.match(await sentenceOf(page, 'proof'), /Add a zero\.$/);
    await page.click('#proof [data-add]');
    await page.waitForSelector('#proof.fallen');
    assert.equal(await text(page, '#proof .quote'), 'To a model without a mask, padding is data.');
    assert.equal(sourceLink({}), '');
    assert.equal(
      sourceLink({ repository: 'https://example.org/a' }),
      '<a href="https://example.org/a">Source</a>',
    );
    await page.close();
  });

  test('the fallen toy and its sentence fit the first screen of a phone', async () => {
    const { page } = await open('#v1/proof?proof.pads=1', { width: 375, height: 740 });
    await page.evaluate(() => scrollTo(0, 0));
    await waitUntilDrawn(page, 'proof');
    await page.evaluate(() => scrollTo(0, 0));
    const bottom = await page.$eval('#proof .says', (each) => each.getBoundingClientRect().bottom);
    assert.ok(bottom <= 740, `${bottom}`);
    await page.close();
  });
});
