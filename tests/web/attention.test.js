// SPDX-License-Identifier: MIT
// Attention layers: how they are called, and what they do to masks.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { rows } from '../support/watch.js';

before(() => mf.ready());

const { layers, ops } = mf;
const x = () =>
  ops.reshape(ops.arange(24, { dtype: 'float32' }), [2, 3, 4]).withMask(rows('TTF TFF'));

test('Attention takes a list and can return its scores', () => {
  const query = x();
  const attention = layers.attention({ useScale: true });
  const y = attention.apply([query, x()]);
  assert.deepEqual(y.shape, [2, 3, 4]);
  assert.deepEqual(y.mask.array(), query.mask.array());
  const [, scores] = attention.apply([query, x()], { returnAttentionScores: true });
  assert.deepEqual(scores.shape, [2, 3, 3]);
  // Explicit masks replace the attached ones.
  assert.equal(attention.apply([query, x()], { mask: [null, rows('TTT TTF')] }).mask, null);
  assert.throws(() => attention.apply(query), mf.ValueError);
});

test('MultiHeadAttention takes arguments by name and strips their masks', () => {
  const attention = layers.multiHeadAttention({ numHeads: 2, keyDim: 3 });
  const query = x();
  const value = x();
  const y = attention.apply({ query, value });
  assert.deepEqual(y.mask.array(), rows('TTF TFF'));
  assert.equal(query.mask, null);
  assert.equal(value.mask, null);
  const [, scores] = attention.apply(
    { query, value },
    { valueMask: ops.notEqual(ops.reshape(ops.arange(6), [2, 3]), 0), returnAttentionScores: true },
  );
  assert.deepEqual(scores.shape, [2, 2, 3, 3]);
  assert.equal(scores.array()[0][0][0][0], 0);
});
