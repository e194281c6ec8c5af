// SPDX-License-Identifier: MIT
// Chapter 7: the numbers of its five figures follow from each other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { programOf, runChapter } from '../../support/page.js';

const run = (name, more = {}, batch = {}) =>
  runChapter('losing', { set: { case: name, ...more }, batch });
const sum = (values) => values.reduce((total, value) => total + value, 0);
const near = (a, b, distance = 1e-6) => assert.ok(Math.abs(a - b) < distance, `${a}, ${b}`);

test('with the key mask padding gets exactly 0 of the attention, and rows sum to 1', async () => {
  const { data, says } = await run('attention');
  assert.deepEqual(
    data.mask.map((row) => row.filter(Boolean).length),
    [3, 5, 6],
  );
  for (const [b, rows] of data.masked.entries())
    for (const scores of rows) {
      near(sum(scores), 1);
      assert.equal(sum(scores.filter((_, key) => !data.mask[b][key])), 0);
    }
  for (const scores of data.bare.flat()) near(sum(scores), 1);
  const max = Math.max(...data.bare[0].slice(0, 3).map((scores) => sum(scores.slice(3))));
  assert.match(
    says,
    new RegExp(` gives ${Math.round(100 * max)} % of its attention to padding\\. `),
  );
  assert.match(says, /With it, exactly 0, and its row still sums to 1\.$/);
});

test('a causal mask alone keeps words from padding behind them, not from padding before them', async () => {
  const { says } = await run('attention', { causal: '1' });
  assert.match(says, /^No word sees the padding, which comes after it/);
  const { says: before } = await run('attention', { causal: '1' }, { padding: 'pre' });
  assert.match(
    before,
    /^Without the key mask, .* of its attention to padding\. With it, exactly 0/,
  );
  const { says: none } = await run('attention', {}, { text: 'one two' });
  assert.match(none, /^No row of this batch has padding/);
});

test('the loss with the mask is the mean over the words, without it over every step', async () => {
  const { data, says } = await run('loss');
  const steps = data.each.flat();
  const words = steps.filter((_, index) => data.mask.flat()[index]);
  near(data.masked, sum(words) / 14);
  near(data.bare, sum(steps) / 18);
  assert.match(
    says,
    /the mean over 14 words: 0\.\d{4}\. Without it, it is the mean over 18 steps, 4/,
  );
});

test('padding in front leaves a word at the end; positions count words only', async () => {
  const { data, says } = await run('decoder');
  const [post, pre] = data.sides;
  assert.deepEqual([post.padding, pre.padding], ['post', 'pre']);
  assert.ok(pre.mask.every((row) => row.at(-1)));
  assert.deepEqual(pre.positions[0], [-1, -1, -1, 0, 1, 2]);
  assert.equal(data.apart, 0);
  assert.match(
    says,
    /'post'`, it is padding in 2 of 3 rows; with `padding: 'pre'`, it is a word in every row/,
  );
});

test('batch_sizes are those of PyTorch: the sum of the mask at each step', async () => {
  const { data, says } = await run('packed');
  // torch.nn.utils.rnn.pack_padded_sequence of lengths 3, 5, 6
  assert.deepEqual(data.batchSizes, [3, 3, 3, 2, 2, 1]);
  assert.deepEqual(data.order, [2, 1, 0]);
  assert.equal(data.apart, 0);
  assert.match(says, /^14 words in place of 18 steps/);
});

test('layers that never mix steps backwards do not change at the words', async () => {
  const { data, says } = await run('care');
  const change = Object.fromEntries(data.changes);
  for (const name of ['Dense', 'LayerNormalization', 'LSTM', 'causal Conv1D'])
    assert.equal(change[name], 0, name);
  const others = data.changes.filter(([, amount]) => amount > 0.001);
  assert.equal(others.length, 4);
  assert.match(
    says,
    /^4 of 8 do not change at all\. .* only read what comes before it, need no mask/,
  );
  // Padding in front is read before the words, so a recurrent layer changes at them, too.
  const { data: before, says: saysBefore } = await run('care', {}, { padding: 'pre' });
  assert.ok(Object.fromEntries(before.changes)['LSTM'] > 0);
  assert.match(saysBefore, /Padding is in front here, so layers .* before a word need one, too\.$/);
});

test('programs are short; a batch without words is explained', async () => {
  for (const name of ['attention', 'loss', 'decoder', 'packed', 'care']) {
    const text = await programOf('losing', { case: name });
    assert.ok(text.trim().split('\n').length <= 25, name);
    await assert.rejects(programOf('losing', { case: name }, { text: '' }), /no words/);
  }
});
