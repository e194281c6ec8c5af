// SPDX-License-Identifier: MIT
// Words that the page explains: on hover, focus and tap, one note at a time.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { violations } from '../support/axe.js';
import { servePage, skip } from '../support/chapter.js';

const definitions = JSON.parse(
  readFileSync(new URL('../../../page/shared/words.json', import.meta.url), 'utf8'),
);

suite('words', { skip }, () => {
  const open = servePage('makers');
  const note = (page) => page.$eval('#word-note', (each) => (each.hidden ? '' : each.textContent));
  const noteIs = (page, text) =>
    page.waitForFunction(
      (expected) => {
        const each = document.querySelector('#word-note');
        return (each.hidden ? '' : each.textContent) === expected;
      },
      { polling: 50 },
      text,
    );

  test('twelve words have a definition, and each is on the page', async () => {
    const { page } = await open();
    const names = await page.$$eval('[data-word]', (all) => all.map((each) => each.dataset.word));
    assert.deepEqual([...new Set(names)].sort(), Object.keys(definitions).sort());
    assert.equal(Object.keys(definitions).length, 12);
    assert.equal(names.length, 12, 'each once');
    await page.close();
  });

  test('hover, focus and tap show a note; Escape and leaving hide it', async () => {
    const { page, faults } = await open();
    const word = '#makers [data-word="mask"]';
    const place = await page.$eval(word, (each) => {
      const { left, top, width, height } = each.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    });
    await page.mouse.move(...place);
    await noteIs(page, definitions.mask);
    // The pointer may move onto the note.
    await page.hover('#word-note');
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(await note(page), definitions.mask);
    await page.mouse.move(5, 5);
    await noteIs(page, '');
    await page.focus('#makers [data-word="id"]');
    await noteIs(page, definitions.id);
    assert.equal(
      await page.$eval('#makers [data-word="id"]', (each) => each.getAttribute('aria-describedby')),
      'word-note',
    );
    assert.deepEqual(await violations(page, '#makers'), []);
    await page.keyboard.press('Escape');
    await noteIs(page, '');
    await page.touchscreen.tap(...place);
    await noteIs(page, definitions.mask);
    const inside = await page.$eval('#word-note', (each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    });
    assert.ok(inside);
    await page.touchscreen.tap(5, place[1] + 200);
    await noteIs(page, '');
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('a note follows its word while the page scrolls, and goes with it', async () => {
    const { page, faults } = await open();
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await page.focus('#makers [data-word="id"]');
    await page.waitForFunction(() => scrollY > 0, { polling: 50 });
    await framesPass(page);
    assert.equal(await note(page), definitions.id);
    assert.ok((await distance(page)) <= 5);
    await page.evaluate(() => scrollBy({ top: 40, behavior: 'instant' }));
    await framesPass(page);
    assert.equal(await note(page), definitions.id);
    assert.ok((await distance(page)) <= 5);
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await noteIs(page, '');
    assert.deepEqual(faults, []);
    await page.close();
  });

  /** Scroll events come before a frame. */
  const framesPass = (page) =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));

  /** Returns by how many pixels the note is above or below its word. */
  const distance = (page) =>
    page.evaluate(() => {
      const note = document.querySelector('#word-note').getBoundingClientRect();
      const word = document.querySelector('[aria-describedby="word-note"]').getBoundingClientRect();
      return Math.max(note.top - word.bottom, word.top - note.bottom);
    });
});
