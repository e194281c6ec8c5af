// SPDX-License-Identifier: MIT
// adapt() of Normalization and Discretization: what Keras finds in data.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { close, leavesNothing } from '../support/watch.js';

before(() => mf.ready({ seed: 3 }));

const { layers, tensor } = mf;
const data = [
  [
    [1, 10],
    [2, 20],
  ],
  [
    [3, 60],
    [6, 30],
  ],
];

test('Normalization: mean and variance of each feature, over all other axes', () => {
  leavesNothing(() =>
    mf.tidy(() => {
      const layer = layers.normalization();
      layer.adapt(data);
      const [mean, variance, count] = layer.getWeights();
      close(mean.array(), [3, 30], 1e-6);
      close(variance.array(), [3.5, 350], 1e-6);
      assert.equal(count.item(), 0);
      close(layer.apply([[[3, 30]]]).array(), [[[0, 0]]]);
      close(layer.apply([[[3 + Math.sqrt(3.5), 30]]]).array(), [[[1, 0]]], 1e-6);
      // Anew, of tensors as of arrays; the old numbers are forgotten.
      layer.adapt(tensor([[[5, 5]], [[7, 9]]]));
      close(layer.getWeights()[0].array(), [6, 7], 1e-6);
      layer.dispose();
    }),
  );
});

test('Normalization: other axes, and one mean for everything', () => {
  mf.tidy(() => {
    const steps = layers.normalization({ axis: 1 });
    steps.adapt(data);
    close(steps.getWeights()[0].array(), [18.5, 14.5], 1e-6);
    const both = layers.normalization({ axis: [1, 2] });
    both.adapt(data);
    close(both.getWeights()[1].array(), [1, 625, 4, 25].flat(), 1e-6);
    const one = layers.normalization({ axis: null });
    one.adapt(data);
    close(one.getWeights()[0].item(), 16.5, 1e-6);
  });
});

test('Normalization refuses what it cannot do, and keeps what it had', () => {
  const given = layers.normalization({ mean: 1, variance: 2 });
  assert.throws(() => given.adapt(data), mf.StateError);
  const layer = layers.normalization();
  layer.adapt(data);
  assert.throws(() => layer.adapt([[1, 2, 3]]), mf.ShapeError);
  assert.throws(() => layer.adapt(tensor([], { shape: [0, 2] })), /no numbers/);
  close(layer.getWeights()[0].array(), [3, 30], 1e-6);
});

test('Discretization: the example of its documentation in Keras', () => {
  const x = [
    [-1.5, 1, 3.4, 0.5],
    [0, 3, 1.3, 0],
  ];
  leavesNothing(() =>
    mf.tidy(() => {
      const layer = layers.discretization({ numBins: 4, epsilon: 0.01 });
      assert.throws(() => layer.apply(x), mf.StateError);
      layer.adapt(x);
      close(layer.getConfig().bin_boundaries, [0, 0.5, 1.3], 1e-6);
      assert.deepEqual(layer.apply(x).array(), [
        [0, 2, 3, 2],
        [1, 3, 3, 1],
      ]);
      // As in Keras the configuration has both afterwards, and a layer comes back from it.
      const again = mf.deserializeLayer(mf.serializeLayer(layer));
      assert.deepEqual(again.apply(x).array(), layer.apply(x).array());
      again.dispose();
      layer.dispose();
    }),
  );
});

test('Discretization: bins of many numbers hold about equally many', () => {
  // 0 … 9999 in an order that is none.
  const numbers = Float32Array.from({ length: 10000 }, (_, i) => (i * 7919) % 10000);
  const layer = layers.discretization({ numBins: 5, outputMode: 'int' });
  layer.adapt(numbers);
  const { bin_boundaries: boundaries } = layer.getConfig();
  assert.equal(boundaries.length, 4);
  boundaries.forEach((boundary, i) => {
    assert.ok(Math.abs(boundary - 2000 * (i + 1)) <= 100, `boundary ${i} is ${boundary}`);
  });
});

test('Discretization refuses what it cannot do', () => {
  const given = layers.discretization({ binBoundaries: [1, 2] });
  assert.throws(() => given.adapt([1, 2]), /binBoundaries.*numBins/);
  const layer = layers.discretization({ numBins: 3 });
  assert.throws(() => layer.adapt([]), /no numbers/);
});
