// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { servePage, skip, testAccess } from '../support/chapter.js';
import { waitUntilDrawn, problem, sentenceOf, set, text } from '../support/page.js';

suite('chapter 5, a cell', { skip }, () => {
  const open = servePage('cell');
  testAccess(open, 'cell', [
    '#v1/cell',
    '#v1/cell?cell.layer=gru&cell.resetAfter=0&cell.holes=1w2',
  ]);

  test('a click selects a step, and the address contains it', async () => {
    const { page } = await open();
    await page.click('#cell .paint tbody tr:nth-child(3) td:nth-of-type(2)');
    await waitUntilDrawn(page, 'cell');
    assert.match(await text(page, '#cell figcaption'), /^Step 1 of row 2, weather/);
    assert.equal(await page.evaluate(() => location.hash), '#v1/cell?cell.row=2&cell.step=1');
    await page.close();
  });

  test('the keyboard selects a step and walks through its terms', async () => {
    const { page } = await open();
    await page.focus('#cell .paint td[tabindex="0"]');
    for (const key of ['ArrowRight', 'Space']) await page.keyboard.press(key);
    await waitUntilDrawn(page, 'cell');
    assert.match(await text(page, '#cell figcaption'), /^Step 1 of row 0, world/);
    await page.focus('#cell .term[tabindex="0"]');
    assert.match(await text(page, '#cell .detail'), /^i: The input gate of unit 0\./);
    await page.keyboard.press('ArrowRight');
    assert.match(
      await text(page, '#cell .detail'),
      /^x·W\s*i: (−?\d\.\d{3} × −?\d\.\d{3}( \+ )?){3} = −?\d\.\d{4}: the features of this step times column 0 of W\./,
    );
    await page.keyboard.press('End');
    assert.match(await text(page, '#cell .detail'), /^c: The cell state after this step/);
    assert.equal((await page.$$('#cell .term[tabindex="0"]')).length, 1);
    await page.close();
  });

  test('a term is highlighted everywhere it appears', async () => {
    const { page } = await open();
    await page.hover('#cell .equation:nth-child(2) .result');
    const lit = await page.$$eval('#cell .lit .symbol', (symbols) =>
      symbols.map((e) => e.textContent),
    );
    assert.deepEqual(lit, ['f', 'f']);
    await page.close();
  });

  test('the button masks a step and keeps it again', async () => {
    const { page } = await open();
    await page.click('#cell [data-toggle]');
    await waitUntilDrawn(page, 'cell');
    assert.match(await sentenceOf(page, 'cell'), /^The step is masked/);
    const numbers = await page.$$eval('#cell .skipped .amount', (amounts) =>
      amounts.map((each) => each.textContent),
    );
    assert.ok(numbers.length > 10 && numbers.every((each) => each === '–'));
    await page.click('#cell [data-toggle]');
    await waitUntilDrawn(page, 'cell');
    assert.match(await sentenceOf(page, 'cell'), /^Unit 0 goes from/);
    await page.close();
  });

  test("the prediction masks the step and is judged by the step's values", async () => {
    const { page } = await open();
    await page.click('#cell [data-predict] button[value="closed"]');
    await page.waitForSelector('#cell .verdict:not(:empty)');
    assert.match(
      await text(page, '#cell .verdict'),
      /^You said “0: all closed”\. Step 2 only has h and c/,
    );
    await page.close();
  });

  test('an invalid address, another batch and an impossible one are handled', async () => {
    const { page, faults } = await open(
      '#v1/cell?cell.row=99&cell.step=-7&cell.unit=x&cell.layer=y',
    );
    assert.match(await text(page, '#cell figcaption'), /^Step 0 of row 2/);
    await set(page, 'padding', { text: 'one' });
    await waitUntilDrawn(page, 'cell');
    assert.match(await text(page, '#cell figcaption'), /^Step 0 of row 0, one/);
    assert.match(await sentenceOf(page, 'cell'), /Over the 1 step of this row/);
    await set(page, 'padding', { text: '' });
    await waitUntilDrawn(page, 'cell');
    assert.match(await problem(page, 'cell'), /Chapter 1 has no words/);
    assert.deepEqual(faults, []);
    await page.close();
  });
});
