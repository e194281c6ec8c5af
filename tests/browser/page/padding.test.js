// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { servePage, skip, testAccess } from '../support/chapter.js';
import { waitUntilDrawn, problem, sentenceOf, set, text } from '../support/page.js';

suite('chapter 2, padding', { skip }, () => {
  const open = servePage('padding');
  testAccess(open, 'padding', [
    '#v1/padding',
    '#v1/padding?padding.maxlen=60&padding.value=-1',
    `#v1/padding?padding.text=${encodeURIComponent('שלום עולם\nabcdefghijklmnopqrstuvwxyz a\nb')}`,
  ]);

  const hash = (page) => page.evaluate(() => location.hash);
  const columns = (page) => page.$$eval('#padding .grid thead th', (heads) => heads.length);

  test('dragging the edge of the rows lengthens them; one step back undoes the drag', async () => {
    const { page } = await open();
    const edge = await page.$('#padding .edge');
    await edge.scrollIntoView();
    const box = await edge.boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const pitch = await page.$eval(
      '#padding .grid tbody td',
      (cell) => cell.getBoundingClientRect().width + 3,
    );
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + pitch, y);
    await waitUntilDrawn(page, 'padding');
    await page.mouse.move(x + 3 * pitch, y);
    await page.mouse.up();
    await waitUntilDrawn(page, 'padding');
    assert.equal(await columns(page), 9);
    assert.equal(await hash(page), '#v1/padding?padding.maxlen=9');
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('#padding-maxlen').value === '');
    await waitUntilDrawn(page, 'padding');
    assert.equal(await columns(page), 6);
    await page.close();
  });

  test('a word is chosen by keys as by a click: arrows move, Enter chooses', async () => {
    const { page } = await open();
    assert.match(await text(page, '#padding .kicker'), /arrow keys and press Enter/);
    const stops = () =>
      page.$$eval(
        '#padding .grid td',
        (all) => all.filter(({ tabIndex }) => tabIndex === 0).length,
      );
    assert.equal(await stops(), 1);
    await page.$eval('#padding .grid td[tabindex="0"]', (cell) => cell.focus());
    for (const key of ['Home', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowRight', 'ArrowLeft', 'End'])
      await page.keyboard.press(key);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    for (const id of ['steps', 'cell']) await waitUntilDrawn(page, id);
    assert.match(await text(page, '#cell figcaption'), /^Step 4 of row 1, today/);
    assert.equal(await stops(), 1);
    // Another batch has a tab stop as well.
    await set(page, 'padding', { text: 'a\nb c' });
    assert.equal(await stops(), 1);
    await page.close();
  });

  test('the edge is a slider for the keyboard', async () => {
    const { page } = await open();
    await page.focus('#padding .edge');
    const now = () => page.$eval('#padding .edge', (edge) => edge.getAttribute('aria-valuenow'));
    for (const [key, steps] of [
      ['ArrowRight', '7'],
      ['PageUp', '12'],
      ['Home', '1'],
      ['ArrowLeft', '1'],
      ['End', '60'],
      ['ArrowRight', '60'],
    ]) {
      await page.keyboard.press(key);
      await waitUntilDrawn(page, 'padding');
      assert.equal(await now(), steps, key);
    }
    assert.equal(await page.evaluate(() => document.activeElement.className), 'edge');
    await page.close();
  });

  test('a maxlen of 100000 is cut with a note', async () => {
    const { page } = await open();
    await set(page, 'padding', { maxlen: '100000' });
    assert.equal(await columns(page), 60);
    assert.match(
      await text(page, '#padding [data-slot="note"]'),
      /^maxlen is 60 here, not 100000: an integer from 1 to 60\.$/,
    );
    await page.close();
  });

  test('a value that is not a number, and missing text, are explained, without a figure', async () => {
    const { page } = await open();
    await set(page, 'padding', { value: 'abc' });
    assert.equal(
      await problem(page, 'padding'),
      '“abc” is not a number. Set value to a number or NaN.',
    );
    assert.equal(await sentenceOf(page, 'padding'), '');
    await set(page, 'padding', { value: '0', text: ' \n ' });
    assert.equal(await problem(page, 'padding'), 'There are no words yet. Type a sentence.');
    const hidden = await page.$eval(
      '#padding [data-slot="batch"]',
      (slot) => getComputedStyle(slot).visibility,
    );
    assert.equal(hidden, 'hidden');
    await set(page, 'padding', { text: 'Hello' });
    assert.equal(await problem(page, 'padding'), null);
    await page.close();
  });

  test('a value that no Embedding accepts is explained here, not only in a later chapter', async () => {
    const { page } = await open('#v1/padding?padding.value=5000');
    assert.match(
      await text(page, '#padding [data-slot="note"]'),
      /the Embedding here only has ids below 5000/,
    );
    assert.equal(await page.$$eval('#padding .grid td.masked', ({ length }) => length), 0);
    await page.close();
  });

  test('right-to-left words stay in their cells, and rows in their order', async () => {
    const { page } = await open(
      `#v1/padding?padding.text=${encodeURIComponent('שלום עולם שלום\nabc')}`,
    );
    await page.click('#padding .fold > summary');
    const places = await page.$$eval('#padding .typed li:first-child .cell', (cells) =>
      cells.map((cell) => cell.getBoundingClientRect().x),
    );
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    );
    await page.close();
  });

  test('a word under the pointer is highlighted in every figure of the drawing', async () => {
    const { page } = await open();
    await page.click('#padding .fold > summary');
    await page.hover('#padding .typed li:nth-child(2) .cell:nth-child(2)');
    const lit = await page.$$eval('.part .lit', (elements) =>
      elements.map((each) => [
        each.closest('.part').id,
        each.textContent.replace(/\s+/g, ' ').trim(),
      ]),
    );
    assert.deepEqual(lit, [
      ['padding', 'are8'],
      ['padding', 'are 8'],
      ['makers', 'T'],
      ['flow', 'T'],
      ['steps', 'are8 kept'],
      ['steps', ''],
      ['steps', ''],
    ]);
    await page.close();
  });

  test('shows the call in both languages', async () => {
    const { page } = await open(
      '#v1/padding?padding.maxlen=4&padding.value=-1&padding.padding=pre',
    );
    const lines = await page.$$eval('#padding .lines pre', (elements) =>
      elements.map((each) => each.textContent.split('\n').at(-1)),
    );
    assert.deepEqual(lines, ['], { maxlen: 4, value: -1 })', '], maxlen=4, value=-1)']);
    await page.close();
  });
});
