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

  test('addresses of the cell, with its own row, step, layer and mask, are the thread now', async () => {
    const { page } = await open('#v1/cell?cell.row=2&cell.step=1&cell.layer=gru&cell.holes=1w2');
    assert.match(await text(page, '#cell figcaption'), /^Step 1 of row 2, weather/);
    assert.equal(await page.$eval('#steps-layer', ({ value }) => value), 'gru');
    await page.click('#cell [data-move="1"]');
    await waitUntilDrawn(page, 'cell');
    assert.match(await text(page, '#cell figcaption'), /^Step 2 of row 2, will/);
    assert.equal(
      await page.evaluate(() => location.hash),
      '#v1/cell?steps.holes=1w2&steps.layer=gru&steps.row=2',
    );
    // The settings of chapter 4 win in an address of chapter 4.
    const { page: other } = await open('#v1/steps?cell.row=2&cell.step=1&steps.row=0');
    assert.match(await text(other, '#cell figcaption'), /^Step 1 of row 0, world/);
    await page.close();
    await other.close();
  });

  test('the drawing has a valve for each gate: its disc is turned by the number', async () => {
    const expected = { lstm: 'f i o', gru: 'r z z', simpleRNN: '' };
    for (const [layer, gates] of Object.entries(expected)) {
      const { page } = await open(`#v1/cell?cell.layer=${layer}`);
      const valves = await page.$$eval('#cell .valve:has(.disc)', (all) =>
        all.map((each) => {
          const [, turn] = /rotate\(([-.\d]+)\)/.exec(
            each.querySelector('.disc').getAttribute('transform'),
          );
          const isAcross = each.querySelectorAll('text').length === 2;
          const open = isAcross ? Number(turn) / 90 : 1 - Number(turn) / 90;
          const amount = Number(each.querySelector('.amount').textContent.replace('−', '-'));
          return { gate: each.dataset.link.replace('cell-', ''), gap: Math.abs(open - amount) };
        }),
      );
      assert.equal(
        valves
          .map(({ gate }) => gate)
          .sort()
          .join(' '),
        gates,
      );
      for (const { gap } of valves) assert.ok(gap < 0.001, `${layer}: ${gap}`);
      await page.close();
    }
  });

  test('a masked step passes its states by the gates', async () => {
    const { page } = await open('#v1/cell?cell.holes=1w2');
    assert.equal(await page.$$eval('#cell .valves .disc', ({ length }) => length), 0);
    assert.equal(await page.$$eval('#cell .valves .idle', ({ length }) => length), 4);
    const ends = await page.$$eval('#cell .end .amount', (all) => all.map((e) => e.textContent));
    assert.equal(ends.length, 4);
    assert.equal(ends[0], ends[1]);
    assert.equal(ends[2], ends[3]);
    await page.close();
  });

  test('a part of the drawing explains its number', async () => {
    const { page } = await open();
    await page.hover('#cell .valve[data-link="cell-f"] .ring');
    assert.match(
      await text(page, '#cell .detail'),
      /^f: The forget gate of unit 0\. f = σ\(−?\d\.\d{4}( [+−] \d\.\d{4}){2}\) = \d\.\d{4}\.$/,
    );
    await page.close();
  });

  test('a pipe is as thick as the amount that it carries', async () => {
    const { page } = await open();
    const [widths, first, last] = await page.$eval('#cell .valves', (svg) => {
      const amounts = [...svg.querySelectorAll('.end .amount')].map((each) =>
        Math.abs(Number(each.textContent.replace('−', '-'))),
      );
      const widths = [...svg.querySelectorAll('.pipe')].map((each) =>
        Number.parseFloat(getComputedStyle(each).strokeWidth),
      );
      return [widths, amounts[0], amounts[1]];
    });
    for (const amount of [first, last])
      assert.ok(
        widths.some((width) => Math.abs(width - (2 + 9 * amount)) < 0.02),
        `${amount}: ${widths}`,
      );
    assert.ok(new Set(widths).size > 4, widths.join());
    await page.close();
  });

  test('the keyboard walks through the terms of the equations', async () => {
    const { page } = await open('#v1/cell?cell.row=0&cell.step=1');
    await page.click('#cell .picture .fold > summary');
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
    await page.click('#cell .picture .fold > summary');
    await page.hover('#cell .equation:nth-child(2) .result');
    const lit = await page.$$eval('#cell .equations .lit .symbol', (symbols) =>
      symbols.map((e) => e.textContent),
    );
    assert.deepEqual(lit, ['f', 'f']);
    assert.equal(await page.$$eval('#cell .valves .lit', ({ length }) => length), 1);
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

  test('a step masked by the visitor removes the question, which its figure answers', async () => {
    const { page } = await open();
    const isAsked = () => page.$eval('#cell [data-predict]', (box) => box.checkVisibility());
    assert.equal(await isAsked(), true);
    await page.click('#cell [data-toggle]');
    await waitUntilDrawn(page, 'cell');
    assert.equal(await isAsked(), false);
    await page.close();
  });

  test("the prediction masks the step and is judged by the step's values", async () => {
    const { page } = await open();
    await page.click('#cell [data-predict] button[value="closed"]');
    await page.waitForSelector('#cell .verdict:not(:empty)');
    assert.match(
      await text(page, '#cell .verdict'),
      /^You said “0: closed”\. Step 2 only has h and c/,
    );
    await page.close();
  });

  test('an invalid address, another batch and an impossible one are handled', async () => {
    const { page, faults } = await open(
      '#v1/cell?cell.row=99&cell.step=-7&cell.unit=x&cell.layer=y',
    );
    assert.match(await text(page, '#cell figcaption'), /^Step 0 of row 1/);
    await set(page, 'padding', { text: 'one' });
    await waitUntilDrawn(page, 'cell');
    assert.match(await text(page, '#cell figcaption'), /^Step 0 of row 0, one/);
    assert.match(await sentenceOf(page, 'cell'), /Over the 1 step of this row/);
    await set(page, 'padding', { text: '' });
    await waitUntilDrawn(page, 'cell');
    assert.match(await problem(page, 'cell'), /The batch has no words/);
    assert.deepEqual(faults, []);
    await page.close();
  });
});
