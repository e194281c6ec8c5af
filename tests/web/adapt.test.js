// SPDX-License-Identifier: MIT
// adapt() of Normalization and Discretization finds in data what Keras finds.
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

test('Normalization finds mean and variance of each feature, over all other axes', () => {
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
      // A second call accepts tensors and replaces the old numbers.
      layer.adapt(tensor([[[5, 5]], [[7, 9]]]));
      close(layer.getWeights()[0].array(), [6, 7], 1e-6);
      layer.dispose();
    }),
  );
});

test('Normalization accepts other axes, and axis: null for one mean', () => {
  mf.tidy(() => {
    const perStep = layers.normalization({ axis: 1 });
    perStep.adapt(data);
    close(perStep.getWeights()[0].array(), [18.5, 14.5], 1e-6);
    const perElement = layers.normalization({ axis: [1, 2] });
    perElement.adapt(data);
    close(perElement.getWeights()[1].array(), [1, 625, 4, 25].flat(), 1e-6);
    const overall = layers.normalization({ axis: null });
    overall.adapt(data);
    close(overall.getWeights()[0].item(), 16.5, 1e-6);
  });
});

test('a refused adapt() leaves the weights of Normalization unchanged', () => {
  const fixed = layers.normalization({ mean: 1, variance: 2 });
  assert.throws(() => fixed.adapt(data), mf.StateError);
  const layer = layers.normalization();
  layer.adapt(data);
  assert.throws(() => layer.adapt([[1, 2, 3]]), mf.ShapeError);
  assert.throws(() => layer.adapt(tensor([], { shape: [0, 2] })), /no numbers/);
  close(layer.getWeights()[0].array(), [3, 30], 1e-6);
});

test("Discretization gives the results of the example in Keras's documentation", () => {
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
      // As in Keras, the config then has both settings; a layer can be created from it.
      const copy = mf.deserializeLayer(mf.serializeLayer(layer));
      assert.deepEqual(copy.apply(x).array(), layer.apply(x).array());
      copy.dispose();
      layer.dispose();
    }),
  );
});

test('Discretization of many numbers finds bins of about equal counts', () => {
  // The numbers 0 to 9999 in a scrambled order.
  const numbers = Float32Array.from({ length: 10000 }, (_, i) => (i * 7919) % 10000);
  const layer = layers.discretization({ numBins: 5, outputMode: 'int' });
  layer.adapt(numbers);
  const { bin_boundaries: boundaries } = layer.getConfig();
  assert.equal(boundaries.length, 4);
  boundaries.forEach((boundary, i) => {
    assert.ok(Math.abs(boundary - 2000 * (i + 1)) <= 100, `boundary ${i} is ${boundary}`);
  });
});

test('Discretization: fromConfig accepts a config after adapt(), the constructor does not', () => {
  const layer = layers.discretization({ numBins: 3 });
  layer.adapt([1, 2, 3, 4, 5, 6]);
  const copy = mf.Discretization.fromConfig(layer.getConfig());
  assert.deepEqual(copy.getConfig().bin_boundaries, layer.getConfig().bin_boundaries);
  assert.deepEqual(copy.apply([1, 3.5, 6]).array(), layer.apply([1, 3.5, 6]).array());
  assert.throws(() => layers.discretization({ numBins: 3, binBoundaries: [1, 2] }), {
    name: 'ConfigError',
    message: /both binBoundaries and numBins/,
  });
});

test('Discretization refuses fixed boundaries and empty data', () => {
  const fixed = layers.discretization({ binBoundaries: [1, 2] });
  assert.throws(() => fixed.adapt([1, 2]), /binBoundaries.*numBins/);
  const layer = layers.discretization({ numBins: 3 });
  assert.throws(() => layer.adapt([]), /no numbers/);
});
