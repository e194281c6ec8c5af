// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { servePage, skip, testAccess } from '../support/chapter.js';
import { waitUntilDrawn, problem, sentenceOf, set, text } from '../support/page.js';

suite('chapter 4, steps', { skip }, () => {
  const open = servePage('steps');
  testAccess(open, 'steps', [
    '#v1/steps?steps.holes=1w2&steps.nans=0w0',
    '#v1/steps?steps.merge=concat&padding.maxlen=60',
  ]);

  const hash = (page) => page.evaluate(() => location.hash);
  const maskOfRow = (page) =>
    page.$$eval('#steps .paint tbody tr', (rows) =>
      rows
        .map((row) =>
          [...row.querySelectorAll('td')]
            .map((cell) => (cell.matches('.masked') ? 'F' : 'T'))
            .join(''),
        )
        .join(),
    );
  const cell = (page, step) => page.$(`#steps .paint tbody td:nth-of-type(${step + 1})`);
  const middle = async (handle) => {
    const { x, y, width, height } = await handle.boundingBox();
    return [x + width / 2, y + height / 2];
  };

  test('a stroke paints the cells that it touches; one step back undoes it', async () => {
    const { page } = await open();
    const [from, to] = [await cell(page, 1), await cell(page, 3)];
    await from.scrollIntoView();
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(to)), { steps: 8 });
    await page.mouse.up();
    await waitUntilDrawn(page, 'steps');
    assert.equal(await maskOfRow(page), 'TFFFTF');
    assert.equal(await hash(page), '#v1/steps?steps.holes=1w1.1w2.1w3&steps.at=3');
    await page.goBack();
    await page.waitForFunction(() => !location.hash.includes('holes'));
    await waitUntilDrawn(page, 'steps');
    assert.equal(await maskOfRow(page), 'TTTTTF');
    await page.close();
  });

  test('by keyboard: one tab stop, arrows move, Space paints, Shift with an arrow continues', async () => {
    const { page } = await open();
    assert.equal((await page.$$('#steps .paint td[tabindex="0"]')).length, 1);
    await page.focus('#steps .paint td[tabindex="0"]');
    for (const key of ['ArrowRight', 'Space']) await page.keyboard.press(key);
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.up('Shift');
    await waitUntilDrawn(page, 'steps');
    assert.equal(await maskOfRow(page), 'TFFTTF');
    assert.equal(
      await page.evaluate(() => document.activeElement.textContent),
      'you3215 masked, chosen',
    );
    await page.keyboard.press('Enter');
    await waitUntilDrawn(page, 'steps');
    assert.equal(await maskOfRow(page), 'TFTTTF');
    await page.close();
  });

  test('on a phone a tap paints, and a swipe scrolls a table that is too wide', async () => {
    const { page } = await open('#v1/steps?padding.maxlen=20', { width: 320 });
    const target = await cell(page, 1);
    await target.scrollIntoView();
    await page.touchscreen.tap(...(await middle(target)));
    await waitUntilDrawn(page, 'steps');
    assert.equal((await maskOfRow(page)).slice(0, 6), 'TFTTTF');
    const action = await target.evaluate((td) => getComputedStyle(td).touchAction);
    assert.equal(action, 'auto');
    await page.close();
  });

  test('the NaN brush paints NaN', async () => {
    const { page } = await open();
    await page.click('#steps [name="steps-brush"][value="nans"]');
    await page.focus('#steps .paint td[tabindex="0"]');
    await page.keyboard.press('Space');
    await waitUntilDrawn(page, 'steps');
    assert.match(
      await sentenceOf(page, 'steps'),
      /NaN reaches 6 of the outputs with the mask, 6 without/,
    );
    assert.match(await hash(page), /steps\.nans=1w0/);
    await page.close();
  });

  test('holes stay at their words when the padding changes sides', async () => {
    const { page } = await open('#v1/steps?steps.holes=0w1.0p0&steps.row=0');
    assert.equal(await maskOfRow(page), 'TFTTFF');
    await set(page, 'padding', { padding: 'pre' });
    await waitUntilDrawn(page, 'steps');
    assert.equal(await maskOfRow(page), 'FFTTFT');
    await page.close();
  });

  test('buttons and keys move through time, and the address contains the step', async () => {
    const { page } = await open('#v1/steps?steps.row=1&steps.at=5');
    const readout = () => text(page, '#steps [data-slot="readout"]');
    assert.match(await readout(), /^Step 5, padding, masked/);
    await page.click('#steps .scrubber [data-step="-1"]');
    await waitUntilDrawn(page, 'steps');
    assert.match(await readout(), /^Step 4, today, kept/);
    await page.focus('#steps .scrubber input');
    await page.keyboard.press('Home');
    await waitUntilDrawn(page, 'steps');
    assert.match(await readout(), /^Step 0, How, kept/);
    assert.match(await hash(page), /steps\.at=0/);
    await set(page, 'steps', { backwards: true });
    assert.match(await readout(), /^Step 5, padding, masked/);
    // With reduced motion nothing plays by itself.
    assert.ok(await page.$eval('#steps [data-play]', (button) => button.hidden));
    await page.close();
  });

  test('the steps can be played', async () => {
    const { page } = await open('#v1/steps?steps.row=1&steps.at=5', { motion: 'no-preference' });
    // A step is shown only for a moment, which a busy machine can miss.
    await page.evaluate(() => {
      window.steps = [];
      for (const name of ['pushState', 'replaceState']) {
        const change = history[name].bind(history);
        history[name] = (...args) => {
          change(...args);
          window.steps.push(/at=(\d)/.exec(location.hash)?.[1]);
        };
      }
    });
    await page.click('#steps [data-play]');
    await page.waitForFunction(() => window.steps.at(-1) === '5' && window.steps.includes('0'));
    await page.waitForFunction(
      () => document.querySelector('#steps [data-play]').textContent === 'Play',
    );
    assert.equal(await text(page, '#steps [data-play]'), 'Play');
    await page.close();
  });

  test('the selected row is always within the batch', async () => {
    const { page } = await open('#v1/steps?steps.row=11');
    assert.match(await sentenceOf(page, 'steps'), /^Row 2:/);
    await set(page, 'padding', { text: 'one' });
    await waitUntilDrawn(page, 'steps');
    assert.match(await sentenceOf(page, 'steps'), /^Row 0: 1 step kept, 0 masked/);
    await set(page, 'padding', { value: 'NaN' });
    await waitUntilDrawn(page, 'steps');
    assert.match(await problem(page, 'steps'), /^The batch pads with NaN/);
    await page.close();
  });

  test('a word has one column in the batch, its mask, the model and its row', async () => {
    for (const width of [375, 1280]) {
      const { page } = await open(undefined, { width });
      const lefts = await page.evaluate(() =>
        [
          ...['#padding .grid td', '#makers .mini td', '#flow .mini td'],
          ...['#steps .paint td', '#steps .column'],
        ].map((each) => {
          const { left, width } = document
            .querySelector(`${each}[data-link~="r1t4"]`)
            .getBoundingClientRect();
          return Math.round(left + width / 2);
        }),
      );
      assert.ok(Math.max(...lefts) - Math.min(...lefts) <= 2, `${width}: ${lefts}`);
      const strand = await page.$eval('.strand', (each) => {
        const { left, right, height } = each.getBoundingClientRect();
        return { middle: Math.round((left + right) / 2), height, hidden: each.hidden };
      });
      const chosen = await page.$eval('#steps td.chosen-step', (each) => {
        const { left, right } = each.getBoundingClientRect();
        return Math.round((left + right) / 2);
      });
      assert.equal(strand.hidden, false);
      assert.ok(Math.abs(strand.middle - chosen) <= 1, `${width}: ${strand.middle}, ${chosen}`);
      assert.ok(strand.height > 1000, `${strand.height}`);
      // Text hides the column, which would make it harder to read.
      const bare = await page.$$eval('.part :is(.question, .options, .fold, .see)', (all) =>
        all
          .filter((each) => getComputedStyle(each).backgroundColor === 'rgba(0, 0, 0, 0)')
          .map((each) => each.className),
      );
      assert.deepEqual(bare, []);
      await page.close();
    }
  });

  test('a click in any figure chooses its row and step in all of them', async () => {
    const { page, faults } = await open();
    const chosen = () =>
      page.$$eval('.chosen-step', (all) =>
        Object.fromEntries(all.map((each) => [each.closest('section').id, each.dataset.link])),
      );
    for (const [figure, row, step, chapter] of [
      ['#padding .grid', 2, 1, 'padding'],
      ['#makers .mini', 0, 5, 'makers'],
      ['#flow .mini', 2, 3, 'flow'],
    ]) {
      await page.click(`${figure} [data-link~="r${row}t${step}"]`);
      for (const id of ['steps', 'cell']) await waitUntilDrawn(page, id);
      const links = await chosen();
      assert.equal(Object.keys(links).sort().join(' '), 'cell flow makers padding steps', figure);
      for (const link of Object.values(links)) assert.match(link, new RegExp(`r${row}t${step}$`));
      assert.match(
        await text(page, '#cell figcaption'),
        new RegExp(`^Step ${step} of row ${row},`),
        figure,
      );
      assert.match(await hash(page), new RegExp(`^#v1/${chapter}\\?`));
    }
    await page.click('#steps .track .column[data-link~="r2t0"]');
    await waitUntilDrawn(page, 'cell');
    assert.match(await text(page, '#cell figcaption'), /^Step 0 of row 2, The/);
    await page.goBack();
    await page.waitForFunction(() => location.hash.includes('steps.at=3'));
    await waitUntilDrawn(page, 'cell');
    assert.match(await text(page, '#cell figcaption'), /^Step 3 of row 2, be/);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('a word under the pointer is highlighted in every figure of the drawing', async () => {
    const { page } = await open();
    await page.hover('#steps .paint td[data-link~="r1t1"]');
    const lit = await page.$$eval('.lit', (all) => [
      ...new Set(all.map((each) => each.closest('section').id)),
    ]);
    assert.deepEqual(lit, ['padding', 'makers', 'flow', 'steps']);
    await page.close();
  });

  test('the cell computes the output of the row at the chosen step', async () => {
    for (const layer of ['lstm', 'gru', 'simpleRNN']) {
      const { page } = await open(`#v1/steps?steps.layer=${layer}&steps.at=3&steps.holes=1w1`);
      await waitUntilDrawn(page, 'cell');
      const shown = await page.$$eval('#steps .point b', (all) => all.map((b) => b.textContent));
      const after = await page.$$eval('#cell .valves [data-link="cell-h"] .amount', (all) =>
        all.map((each) => each.textContent),
      );
      assert.deepEqual(after, [shown[0]], layer);
      await page.close();
    }
  });
});
