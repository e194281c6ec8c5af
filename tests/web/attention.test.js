// SPDX-License-Identifier: MIT
// Attention layers: how they are called, and what happens to masks.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { close, rows } from '../support/watch.js';

before(() => mf.ready());

const { layers, ops, ShapeError } = mf;
const x = () =>
  ops.reshape(ops.arange(24, { dtype: 'float32' }), [2, 3, 4]).withMask(rows('TTF TFF'));

test('Attention accepts a list and can return its scores', () => {
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

test('queries or keys with one feature broadcast against many, as in Keras', () => {
  const many = mf.tensor([
    [
      [0, 0.1, 0.2],
      [0.6, 0.7, 0.8],
    ],
  ]);
  const one = mf.tensor([[[0.5], [-1], [2]]]);
  const values = mf.tensor([
    [
      [1, 2],
      [3, 4],
      [5, 7],
    ],
  ]);
  const first = mf.tensor([
    [
      [1, 2],
      [3, 4],
    ],
  ]);
  const weighted = layers.additiveAttention();
  weighted.build([
    [1, 2, 3],
    [1, 3, 2],
  ]);
  weighted.setWeights([mf.tensor([0.3, -0.6, 1.1])]);
  const weightedOne = layers.additiveAttention();
  weightedOne.build([
    [1, 3, 1],
    [1, 2, 2],
  ]);
  weightedOne.setWeights([mf.tensor([0.3])]);
  const resultOf = (layer, inputs) => [...layer.apply(inputs).data()];
  // Sums that Keras 3.15.1 returned.
  const sums = [4.142085552, 5.925102711, 3.461841106, 5.070765495];
  const singleQueryResults = [
    2.41874671, 3.418746471, 2.562611341, 3.562611341, 2.031211615, 3.031211853,
  ];
  close(resultOf(layers.attention({ scoreMode: 'concat' }), [many, values, one]), sums);
  close(resultOf(layers.additiveAttention({ useScale: false }), [many, values, one]), sums);
  close(
    resultOf(layers.attention({ scoreMode: 'concat' }), [one, first, many]),
    singleQueryResults,
  );
  close(
    resultOf(weighted, [many, values, one]),
    [3.256994486, 4.754133224, 3.088110685, 4.525571823],
  );
  close(
    resultOf(weightedOne, [one, first, many]),
    [2.133057594, 3.133057594, 2.188704967, 3.188704967, 2.009366274, 3.009366274],
  );
  assert.throws(() => layers.attention().apply([many, values, one]), ShapeError);
});

test('MultiHeadAttention accepts arguments by name and removes their masks', () => {
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

test('masks of attention may be arrays, as tensors are', () => {
  const attention = layers.multiHeadAttention({ numHeads: 2, keyDim: 3 });
  const query = ops.reshape(ops.arange(24, { dtype: 'float32' }), [2, 3, 4]);
  const call = (options) => [...attention.apply({ query, value: query }, options).data()];
  const plain = call({});
  const masks = {
    queryMask: [
      [true, true, false],
      [true, false, false],
    ],
    valueMask: [
      [1, 1, 0],
      [1, 0, 0],
    ],
    keyMask: [
      [true, false, false],
      [true, true, false],
    ],
    attentionMask: [1, 2].map(() => [1, 2, 3].map((row) => [true, row > 1, row > 2])),
  };
  for (const [name, mask] of Object.entries(masks)) {
    const given = call({ [name]: mask });
    assert.deepEqual(given, call({ [name]: mf.tensor(mask, { dtype: 'bool' }) }), name);
    if (name !== 'queryMask') assert.notDeepEqual(given, plain, name);
  }
});
