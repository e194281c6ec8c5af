// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pageModule, programOf, runChapter } from '../../support/page.js';
import { sameNumbers } from '../../support/page_numbers.js';

const recording = JSON.parse(
  readFileSync(new URL('../../fixtures/page/makers.json', import.meta.url), 'utf8'),
);
const guide = [
  [true, true, true, false, false, false],
  [true, true, true, true, true, false],
  [true, true, true, true, true, true],
];
const masking = (set) => runChapter('makers', { set: { maker: 'masking', ...set } });

test('Embedding and Masking make the mask of the guide', async () => {
  const { data, says } = await runChapter('makers');
  assert.deepEqual(data.mask, guide);
  assert.deepEqual(data.tiled, guide);
  assert.equal(
    says,
    '4 ids are 0, and the mask is F at 4 steps of 18. Masking on the same ids as features makes the same mask.',
  );
  const off = await runChapter('makers', { set: { maskZero: '0' } });
  assert.equal(off.data.mask, null);
  assert.match(off.says, /`x\.mask` is null/);
});

test('a batch that is padded with −1 has no mask, and the sentence says so', async () => {
  const { data, says } = await runChapter('makers', { batch: { value: '-1' } });
  assert.ok(data.mask.flat().every(Boolean));
  assert.match(
    says,
    /^0 ids are 0, and the mask is F at 0 steps of 18\..*The padding of the batch is not 0/,
  );
});

for (const { x, maskValue, output, mask } of recording) {
  test(`Masking equals Keras: mask_value ${maskValue}, ${x.length} × ${x[0].length} steps`, async () => {
    const [row0, row1] = x.map((row) => row.map((step) => step.join(' ')).join('\n'));
    const { data } = await masking({ maskValue, row0, row1 });
    sameNumbers(data.output, output, 'output');
    assert.deepEqual(data.mask, mask);
    assert.deepEqual(data.alone, mask);
  });
}

test('partly equal steps pass unchanged', async () => {
  const { says } = await masking();
  assert.match(
    says,
    /^1 of 8 steps is masked and set to 0\. 4 steps equal 0 in part: all pass unchanged\./,
  );
  const other = await masking({ maskValue: '0.5', row0: 'nan nan nan\n'.repeat(4) });
  assert.match(other.says, /^None of 8 steps is masked\./);
});

test('NaN, which Masking refuses, is not among the values of the page', async () => {
  const { data } = await masking({ maskValue: 'NaN', row0: '0 0\nnan nan' });
  assert.deepEqual(data.mask[0].slice(0, 2), [false, true]);
});

test('ragged rows are filled up, with a note', async () => {
  const { featuresOf, withFeature } = await pageModule(
    `export * from './chapters/makers/features.ts';`,
  );
  const { rows, ragged: isRagged, note } = featuresOf(['1 2 3\n4\n\n', '5, 6; 7'], '0');
  assert.deepEqual(rows, [
    [
      [1, 2, 3],
      [4, 0, 0],
    ],
    [[5, 6, 7]],
  ]);
  assert.ok(isRagged);
  assert.match(
    note,
    /1 step had fewer than 3 features and got 0 for the rest; the shorter row is filled up to 2 steps/,
  );
  assert.equal(withFeature('1 2 0\n3 0 4', 1, 0, '0'), '1 2 0\n0 0 4');
  assert.equal(withFeature('1 2', 2, 1, '9'), '1 2\n0 0\n0 9');
  for (const maskValue of ['0', '-1', '0.5']) {
    const { data } = await masking({ maskValue, row0: '1 2', row1: '3 4\n5 6\n7 8' });
    assert.deepEqual(data.mask, [
      [true, false, false],
      [true, true, true],
    ]);
  }
});

test('long input is cut with a note; input that is not a number is refused', async () => {
  const long = Array(40).fill(Array(9).fill('1').join(' ')).join('\n');
  const { data } = await masking({ row0: long, row1: '' });
  assert.deepEqual([data.x.length, data.x[0].length, data.x[0][0].length], [1, 12, 6]);
  const refuse = (set, message) =>
    assert.rejects(programOf('makers', { maker: 'masking', ...set }), message);
  await refuse({ row0: '1 two' }, /“two” is not a number/);
  await refuse({ row0: '1e99' }, /“1e99” is not a number that fits into a float32/);
  await refuse({ row0: ' ', row1: ',\n;' }, /There are no steps yet/);
  await assert.rejects(programOf('makers', {}, { text: '' }), /The batch has no words/);
  await assert.rejects(programOf('makers', { maker: 'hand' }, { value: '5000' }), /Choose another/);
});

test('a mask can be painted by hand', async () => {
  const { data, says } = await runChapter('makers', { set: { maker: 'hand', holes: '0w1.0p0' } });
  assert.deepEqual(data.mask[0], [true, false, true, true, false, false]);
  assert.equal(
    says,
    'The Embedding made no mask; `withMask` attaches one with F at 4 of 18 steps. 2 steps differ from the mask of `mask_zero`.',
  );
});
