// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { servePage, skip, testAccess } from '../support/chapter.js';
import { waitUntilDrawn, problem, sentenceOf, set, text } from '../support/page.js';

suite('chapter 2, makers', { skip }, () => {
  const open = servePage('makers');
  testAccess(open, 'makers', [
    '#v1/makers',
    '#v1/makers?makers.maker=masking',
    '#v1/makers?makers.maker=hand&padding.maxlen=40',
  ]);

  const hash = (page) => page.evaluate(() => location.hash);

  test('features can be pressed until their step is masked; the focus stays on them', async () => {
    const { page } = await open('#v1/makers?makers.maker=masking');
    for (const feature of [0, 2]) {
      await page.focus(`#makers [data-key="0,1,${feature}"]`);
      await page.keyboard.press('Enter');
      await waitUntilDrawn(page, 'makers');
    }
    assert.match(await sentenceOf(page, 'makers'), /^2 of 8 steps are masked/);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.key), '0,1,2');
    assert.match(await hash(page), /makers\.row0=1\+2\+0%0A0\+0\+0/);
    await page.close();
  });

  test('ragged rows are accepted, with a note', async () => {
    const { page } = await open('#v1/makers?makers.maker=masking');
    await set(page, 'makers', { row0: '1 2 3\n4 5' });
    assert.match(
      await text(page, '#makers [data-slot="note"]'),
      /1 step had fewer than 3 features and got 0 for the rest; the shorter row is filled up to 4 steps/,
    );
    assert.match(await sentenceOf(page, 'makers'), /^2 of 8 steps are masked/);
    await set(page, 'makers', { row0: '1 x' });
    assert.match(await problem(page, 'makers'), /^“x” is not a number/);
    assert.equal(await sentenceOf(page, 'makers'), '');
    await page.close();
  });

  test('the controls of other makers are hidden', async () => {
    const { page } = await open();
    const visible = () =>
      page.$$eval('#makers [data-for]', (groups) =>
        groups.filter((group) => group.offsetParent).map((group) => group.dataset.for),
      );
    assert.deepEqual(await visible(), ['embedding']);
    await set(page, 'makers', { maker: 'masking' });
    assert.deepEqual(await visible(), ['masking', 'masking']);
    await page.close();
  });

  test('a batch that no Embedding accepts is explained in a sentence', async () => {
    const { page } = await open('#v1/makers?padding.value=5000');
    assert.match(await problem(page, 'makers'), /^The batch pads with 5000/);
    await set(page, 'padding', { text: '' });
    await waitUntilDrawn(page, 'makers');
    assert.equal(
      await problem(page, 'makers'),
      'The batch has no words. Type a sentence in chapter 2.',
    );
    await page.close();
  });
});
