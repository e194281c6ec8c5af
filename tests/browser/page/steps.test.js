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
  const mask = (page) =>
    page.$$eval('#steps .paint tbody tr', (rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('td')]
          .map((cell) => (cell.matches('.masked') ? 'F' : 'T'))
          .join(''),
      ),
    );
  const cell = (page, row, step) =>
    page.$(`#steps .paint tbody tr:nth-child(${row + 1}) td:nth-of-type(${step + 1})`);
  const middle = async (handle) => {
    const { x, y, width, height } = await handle.boundingBox();
    return [x + width / 2, y + height / 2];
  };

  test('a stroke paints the cells that it touches; one step back undoes it', async () => {
    const { page } = await open();
    const [from, to] = [await cell(page, 1, 1), await cell(page, 1, 3)];
    await from.scrollIntoView();
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(to)), { steps: 8 });
    await page.mouse.up();
    await waitUntilDrawn(page, 'steps');
    assert.deepEqual(await mask(page), ['TTTFFF', 'TFFFTF', 'TTTTTT']);
    assert.equal(await hash(page), '#v1/steps?steps.holes=1w1.1w2.1w3&steps.row=1');
    await page.goBack();
    await page.waitForFunction(() => !location.hash.includes('holes'));
    await waitUntilDrawn(page, 'steps');
    assert.deepEqual(await mask(page), ['TTTFFF', 'TTTTTF', 'TTTTTT']);
    await page.close();
  });

  test('by keyboard: one tab stop, arrows move, Space paints, Shift with an arrow continues', async () => {
    const { page } = await open();
    assert.equal((await page.$$('#steps .paint td[tabindex="0"]')).length, 1);
    await page.focus('#steps .paint td[tabindex="0"]');
    for (const key of ['ArrowDown', 'ArrowRight', 'Space']) await page.keyboard.press(key);
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.up('Shift');
    await waitUntilDrawn(page, 'steps');
    assert.deepEqual(await mask(page), ['TTTFFF', 'TFFTTF', 'TTTTTT']);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'you3215 masked');
    await page.keyboard.press('Enter');
    await waitUntilDrawn(page, 'steps');
    assert.deepEqual(await mask(page), ['TTTFFF', 'TFTTTF', 'TTTTTT']);
    await page.close();
  });

  test('on a phone a tap paints, and a swipe scrolls a table that is too wide', async () => {
    const { page } = await open('#v1/steps?padding.maxlen=20', { width: 320 });
    const target = await cell(page, 0, 1);
    await target.scrollIntoView();
    await page.touchscreen.tap(...(await middle(target)));
    await waitUntilDrawn(page, 'steps');
    assert.equal((await mask(page))[0].slice(0, 4), 'TFTF');
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
    assert.match(await hash(page), /steps\.nans=0w0/);
    await page.close();
  });

  test('holes stay at their words when the padding changes sides', async () => {
    const { page } = await open('#v1/steps?steps.holes=0w1.0p0');
    assert.deepEqual((await mask(page))[0], 'TFTTFF');
    await set(page, 'padding', { padding: 'pre' });
    await waitUntilDrawn(page, 'steps');
    assert.deepEqual((await mask(page))[0], 'FFTTFT');
    await page.close();
  });

  test('buttons and keys move through time, and the address contains the step', async () => {
    const { page } = await open('#v1/steps?steps.row=1');
    const readout = () => text(page, '#steps [data-slot="readout"]');
    assert.match(await readout(), /^Step 5, padding, masked/);
    await page.click('#steps .scrubber [data-step="-1"]');
    await waitUntilDrawn(page, 'steps');
    assert.match(await readout(), /^Step 4, today, computed/);
    await page.focus('#steps .scrubber input');
    await page.keyboard.press('Home');
    await waitUntilDrawn(page, 'steps');
    assert.match(await readout(), /^Step 0, How, computed/);
    assert.match(await hash(page), /steps\.at=0/);
    await set(page, 'steps', { backwards: true });
    assert.match(await readout(), /^Step 5, padding, masked/);
    // With reduced motion nothing plays by itself.
    assert.ok(await page.$eval('#steps [data-play]', (button) => button.hidden));
    await page.close();
  });

  test('the steps can be played', async () => {
    const { page } = await open('#v1/steps?steps.row=1', { motion: 'no-preference' });
    await page.click('#steps [data-play]');
    await page.waitForFunction(() => /at=0/.test(location.hash));
    await page.waitForFunction(() => !/at=/.test(location.hash), { timeout: 10_000 });
    assert.equal(await text(page, '#steps [data-play]'), 'Play');
    await page.close();
  });

  test('the selected row is always within the batch', async () => {
    const { page } = await open('#v1/steps?steps.row=11');
    assert.match(await sentenceOf(page, 'steps'), /^Row 2:/);
    await set(page, 'padding', { text: 'one' });
    await waitUntilDrawn(page, 'steps');
    assert.match(await sentenceOf(page, 'steps'), /^Row 0: 1 step computed, 0 masked/);
    await set(page, 'padding', { value: 'NaN' });
    await waitUntilDrawn(page, 'steps');
    assert.match(await problem(page, 'steps'), /^Chapter 1 pads with NaN/);
    await page.close();
  });

  test('a prediction paints a word and is judged by the result', async () => {
    const { page } = await open();
    await page.click('#steps [data-predict] button[value="zero"]');
    await page.waitForSelector('#steps .verdict:not(:empty)');
    assert.match(
      await text(page, '#steps .verdict'),
      /^You said “To 0”\. At step 1 \(world\), which is masked, unit 0 is (−?\d\.\d+); before this step it was \1\.$/,
    );
    await page.close();
  });

  test('a step opens in the next chapter', async () => {
    const { page } = await open('#v1/steps?steps.row=1&steps.holes=1w2&steps.at=2&steps.layer=gru');
    await page.click('#steps [data-open]');
    await page.waitForFunction(() => /^#v1\/cell/.test(location.hash));
    await waitUntilDrawn(page, 'cell');
    assert.match(await sentenceOf(page, 'cell'), /^The step is masked/);
    assert.match(await text(page, '#cell figcaption'), /^Step 2 of row 1, you/);
    assert.match(await hash(page), /steps\.layer=gru/);
    await page.close();
  });
});
