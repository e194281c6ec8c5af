// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { servePage, skip, testAccess } from '../support/chapter.js';
import { waitUntilDrawn, problem, sentenceOf, set, tables, text } from '../support/page.js';

suite('chapter 6, cost', { skip }, () => {
  const open = servePage('cost');
  testAccess(open, 'cost');

  const small = '#v1/cost?cost.rows=4';
  const act = (page, action) =>
    page.$eval(`#cost [data-run="${action}"]`, (button) => button.click());
  const measure = async (page) => {
    await act(page, 'run');
    await waitUntilDrawn(page, 'cost');
  };

  test('it measures once when it is seen, and shows nothing before the guess', async () => {
    const { page } = await open(small);
    await page.waitForFunction(() =>
      /^9 rounds measured$/.test(
        document.querySelector('#cost [data-slot="progress"]').textContent,
      ),
    );
    const shown = () =>
      page.$$eval('#cost :is(.says, .chart, .answers, .fold)', (all) =>
        all.filter((each) => each.checkVisibility()).map((each) => each.className),
      );
    assert.deepEqual(await shown(), []);
    const table = await page.$eval('#cost [data-slot="table"]', (slot) => slot.textContent);
    await page.click('#cost .reveal');
    await waitUntilDrawn(page, 'cost');
    assert.equal((await shown()).length, 4);
    assert.equal(await page.$eval('#cost [data-slot="table"]', (slot) => slot.textContent), table);
    // The times of every step are one flat line, whatever the mask.
    const heights = await page.$eval('#cost .line.alarm', (line) =>
      [...line.getAttribute('d').matchAll(/ ([\d.]+)(?=L|$)/g)].map(([, y]) => y),
    );
    assert.equal(heights.length, 10);
    assert.equal(new Set(heights).size, 1);
    assert.equal(await page.$$eval('#cost .band', ({ length }) => length), 2);
    await page.close();
  });

  test('a guess is answered by a measurement', async () => {
    const { page } = await open(small);
    await page.click('#cost [data-predict] button[value="half"]');
    await waitUntilDrawn(page, 'cost');
    const verdict = await text(page, '#cost .verdict');
    assert.match(verdict, /^(Yes\.|You said “About half”\.) With 50 % of the steps kept, /);
    // On a busy machine the time may not follow the steps: then the page explains none.
    const [, saved = '0'] = /(\d+) % of the time is saved/.exec(verdict) ?? [];
    const follows = Math.abs(Number(saved) - 50) < 20;
    const reason = follows
      ? 'The time follows the kept steps, because '
      : 'Other programs disturb the clock of this machine: measure again. ';
    assert.equal(verdict.includes(`. ${reason}`), true, verdict);
    await page.close();
  });

  test('the figure says what it was measured with, and how much was computed', async () => {
    const { page } = await open(small);
    await measure(page);
    await page.$eval('#cost .fold', (fold) => {
      fold.open = true;
    });
    const machine = await text(page, '#cost [data-slot="machine"]');
    assert.match(machine, /^Medians of 9 rounds in Chromium \d+, on one of \d+ processors?, /);
    assert.match(machine, /variant “(simd|relaxed)”; x is \[4, 60, 32\]\./);
    const [{ rows }] = await tables(page, 'cost', 'table');
    assert.deepEqual(
      rows.map(([steps]) => steps),
      ['240', '216', '192', '168', '144', '120', '96', '72', '48', '24'],
    );
    assert.equal(rows[0][1], '5.9 million');
    await page.close();
  });

  test('the slider moves over the measured values by keyboard, without a new measurement', async () => {
    const { page } = await open(small);
    await measure(page);
    const table = await page.$eval('#cost [data-slot="table"]', (slot) => slot.textContent);
    await page.focus('#cost-share');
    await page.keyboard.press('ArrowLeft');
    await waitUntilDrawn(page, 'cost');
    assert.match(await sentenceOf(page, 'cost'), /^With 40 % of the steps kept/);
    assert.equal(await page.$eval('#cost [data-slot="table"]', (slot) => slot.textContent), table);
    assert.match(await page.evaluate(() => location.hash), /cost\.share=40/);
    await page.close();
  });

  test('other settings remove the old figure until they are measured', async () => {
    const { page } = await open(small);
    await measure(page);
    await set(page, 'cost', { layer: 'gru' });
    assert.match(await sentenceOf(page, 'cost'), /^Press Measure/);
    const hidden = await page.$eval(
      '#cost [data-slot="chart"]',
      (slot) => getComputedStyle(slot).visibility,
    );
    assert.equal(hidden, 'hidden');
    await measure(page);
    assert.match(await sentenceOf(page, 'cost'), /^With 50 %/);
    await page.close();
  });

  test('a long measurement can be stopped, and keeps its values', async () => {
    const { page } = await open('#v1/cost?cost.rows=64&cost.rounds=99');
    await act(page, 'run');
    await page.waitForFunction(() =>
      /^round [2-9]/.test(document.querySelector('#cost [data-slot="progress"]').textContent),
    );
    await act(page, 'stop');
    await waitUntilDrawn(page, 'cost');
    assert.equal(await problem(page, 'cost'), null);
    const [, rounds] = /^(\d+) rounds? measured$/.exec(
      await text(page, '#cost [data-slot="progress"]'),
    );
    assert.ok(Number(rounds) < 99);
    await page.close();
  });

  test('an invalid number of rows leads to a question', async () => {
    const { page } = await open();
    await set(page, 'cost', { rows: '' });
    assert.equal(await problem(page, 'cost'), 'Type the number of rows, from 1 to 128.');
    await page.close();
  });
});
