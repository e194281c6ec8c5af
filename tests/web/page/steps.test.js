// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pageModule, programOf, runChapter } from '../../support/page.js';
import { sameNumbers } from '../../support/page_numbers.js';

const recording = JSON.parse(
  readFileSync(new URL('../../fixtures/page/steps.json', import.meta.url), 'utf8'),
).filter(({ chapter }) => chapter === 'steps');

for (const { set, batch, masked, bare } of recording) {
  test(`both runs equal Keras's: ${JSON.stringify({ ...set, ...batch })}`, async () => {
    const { data } = await runChapter('steps', { set, batch });
    sameNumbers(data.masked, masked, 'masked');
    sameNumbers(data.bare, bare, 'bare');
  });
}

test('at a masked word in the middle the state does not change by a single bit', async () => {
  const { says } = await runChapter('steps', { set: { row: '1', holes: '1w2' } });
  assert.match(
    says,
    /^Row 1: 4 steps kept, 2 masked\. At masked steps the last output is repeated, to the last bit\./,
  );
});

test('sentences are derived from the numbers', async () => {
  const sentenceOf = async (set, batch = {}) => (await runChapter('steps', { set, batch })).says;
  assert.match(
    await sentenceOf({ row: '1', holes: '1w2', zero: '1' }),
    /At masked steps the output is 0\./,
  );
  assert.match(await sentenceOf({ row: '1', holes: '1w2', merge: 'concat' }), /the output is 0\./);
  assert.match(
    await sentenceOf({ row: '2' }),
    /0 masked\. Mask a step: drag over its cell\. .* differ by exactly 0\./,
  );
  assert.match(
    await sentenceOf({ row: '2', nans: '2w3' }),
    /NaN reaches 3 of the outputs with the mask, 3 without it\./,
  );
  assert.match(
    await sentenceOf({ row: '2', nans: '2w3', holes: '2w3' }),
    /NaN reaches 0 of the outputs with the mask, 3 without it\./,
  );
  // At the first step there is no earlier output to repeat, so the output is 0 although the state
  // is 1.
  assert.match(
    await sentenceOf({ row: '0', initial: '1' }, { padding: 'pre' }),
    /At masked steps the output is 0\./,
  );
  assert.match(await sentenceOf({ row: '99' }), /^Row 2:/);
});

test('holes stay at their words when the padding changes sides; holes in padding are counted from the words', async () => {
  const maskWith = async (batch) =>
    (await runChapter('steps', { set: { holes: '0w1.0p0' }, batch })).data.mask[0];
  assert.deepEqual(await maskWith({}), [true, false, true, true, false, false]);
  assert.deepEqual(await maskWith({ padding: 'pre' }), [false, false, true, true, false, true]);
  // When a word is cut off, its cell disappears; when it returns, so does its hole in the mask.
  assert.deepEqual(await maskWith({ maxlen: '1', truncating: 'pre' }), [true]);
});

test('holes are painted by name', async () => {
  const { cellsOf, paint } = await pageModule(`export * from './shared/holes.ts';`);
  const places = [
    [-1, -1, 0, 1],
    [0, 1, 2, 3],
  ];
  assert.equal(paint('', places, [0, 0], true), '0p1');
  assert.equal(paint('0p1', places, [1, 3], true), '0p1.1w3');
  assert.equal(paint('0p1.1w3', places, [0, 0], false), '1w3');
  assert.deepEqual(cellsOf('0p1.1w3.7w7', places), [
    [0, 0],
    [1, 3],
  ]);
  assert.deepEqual(cellsOf("'];alert(1)//.0w", places), []);
  assert.equal(paint('', places, [9, 9], true), '');
});

test('any setting that an address can contain makes a program of at most 15 lines besides the batch', async () => {
  const text = await programOf('steps', {
    layer: 'nonsense',
    merge: 'concat',
    initial: '1',
    stateful: '1',
    zero: '1',
    backwards: '1',
    holes: '1w2',
    nans: '0w0',
    row: '-3',
    at: 'x',
  });
  const lines = text
    .replace(/\[\n[\s\S]*?\n\]/, '[]')
    .split('\n')
    .filter((line) => line.trim() && !/^(import|await ready|const ids)/.test(line));
  assert.ok(lines.length <= 15, `${lines.length} lines\n${text}`);
  await assert.rejects(programOf('steps', {}, { text: '' }), /The batch has no words/);
  await assert.rejects(
    programOf('steps', {}, { value: '5000' }),
    /Choose another `value` in chapter 2/,
  );
});
