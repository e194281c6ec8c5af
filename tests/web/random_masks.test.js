// SPDX-License-Identifier: MIT
// Layers that draw random numbers in training: how many, of what size, and that gradients use those
// of the forward pass.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../dist/train.js';

const { layers, ops, tensor, valueAndGradients } = mf;
await mf.ready({ seed: 5, onMaskDropped: 'silent' });

const ones = (...shape) => ops.ones(shape);
const training = { training: true };
const values = (x) => Array.from(x.data());
const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
const deviation = (list) => {
  const center = mean(list);
  return Math.sqrt(mean(list.map((x) => (x - center) ** 2)));
};

test('Dropout drops its share and scales the rest', () => {
  const actual = values(layers.dropout({ rate: 0.3 }).apply(ones(100, 200), training));
  const droppedShare = actual.filter((x) => x === 0).length / actual.length;
  // The share may be off by at most five standard deviations.
  assert.ok(
    Math.abs(droppedShare - 0.3) < 5 * Math.sqrt((0.3 * 0.7) / actual.length),
    `${droppedShare}`,
  );
  for (const x of actual) assert.ok(x === 0 || Math.abs(x - 1 / 0.7) < 1e-6);
});

test('SpatialDropout1D drops whole features', () => {
  const actual = layers.spatialDropout1D({ rate: 0.4 }).apply(ones(20, 7, 50), training);
  const flatValues = values(actual);
  let droppedFeatures = 0;
  for (let row = 0; row < 20; row++) {
    for (let feature = 0; feature < 50; feature++) {
      const first = flatValues[row * 350 + feature];
      if (first === 0) droppedFeatures++;
      for (let t = 1; t < 7; t++) assert.equal(flatValues[row * 350 + t * 50 + feature], first);
    }
  }
  assert.ok(
    Math.abs(droppedFeatures / 1000 - 0.4) < 5 * Math.sqrt(0.24 / 1000),
    `${droppedFeatures}`,
  );
});

test("AlphaDropout keeps mean and variance of SELU's outputs", () => {
  const x = ops.selu(mf.layers.gaussianNoise({ stddev: 1 }).apply(ops.zeros([200, 200]), training));
  const actual = values(layers.alphaDropout({ rate: 0.2 }).apply(x, training));
  assert.ok(Math.abs(mean(actual)) < 0.03, `${mean(actual)}`);
  assert.ok(Math.abs(deviation(actual) - 1) < 0.03, `${deviation(actual)}`);
});

test('GaussianNoise adds and GaussianDropout multiplies normally distributed numbers', () => {
  const sums = values(layers.gaussianNoise({ stddev: 0.5 }).apply(ones(100, 100), training));
  assert.ok(Math.abs(mean(sums) - 1) < 0.025 && Math.abs(deviation(sums) - 0.5) < 0.02);
  const products = values(layers.gaussianDropout({ rate: 0.2 }).apply(ones(100, 100), training));
  // The standard deviation of the factors must be sqrt(rate / (1 - rate)).
  assert.ok(Math.abs(mean(products) - 1) < 0.025 && Math.abs(deviation(products) - 0.5) < 0.02);
});

const random = {
  dropout: { rate: 0.5 },
  spatialDropout1D: { rate: 0.5 },
  alphaDropout: { rate: 0.5 },
  gaussianNoise: { stddev: 0.5 },
  gaussianDropout: { rate: 0.5 },
};

for (const [name, config] of Object.entries(random)) {
  const x = () => ones(2, 5, 8);
  test(`${name} with a seed draws the same numbers in every layer, and new ones in the next call`, () => {
    const first = layers[name]({ ...config, seed: 3 });
    const second = layers[name]({ ...config, seed: 3 });
    const otherSeed = layers[name]({ ...config, seed: 4 });
    const calls = (layer) => [1, 2].map(() => values(layer.apply(x(), training)));
    const [a, b] = calls(first);
    assert.deepEqual(calls(second), [a, b]);
    assert.notDeepEqual(a, b);
    assert.notDeepEqual(calls(otherSeed)[0], a);
  });

  test(`the gradient of ${name} uses the numbers of the forward pass`, () => {
    const layer = layers[name]({ ...config });
    const flat = tensor(values(x()).map((_, i) => 0.1 + i / 100));
    const input = ops.reshape(flat, [2, 5, 8]);
    let output;
    const { gradients } = valueAndGradients(() => {
      output = mf.keep(layer.apply(input, training));
      return ops.sum(ops.multiply(output, output));
    }, [input]);
    const y = values(output);
    const dx = values(gradients[0]);
    const inputValues = values(input);
    for (let i = 0; i < y.length; i++) {
      // Except for a constant, y = m x, so the slope is the random factor m.
      const slope = name === 'gaussianNoise' ? 1 : y[i] / inputValues[i];
      if (name === 'alphaDropout') continue;
      assert.ok(Math.abs(dx[i] - 2 * y[i] * slope) < 1e-4 * Math.max(1, Math.abs(dx[i])));
    }
    if (name === 'alphaDropout') assert.ok(dx.some((g) => g === 0) && dx.some((g) => g !== 0));
  });
}

for (const [name, config, call] of [
  ['attention', {}, (layer, x) => layer.apply([x, x], training)],
  ['additiveAttention', {}, (layer, x) => layer.apply([x, x], training)],
  [
    'multiHeadAttention',
    { numHeads: 2, keyDim: 3 },
    (layer, x) => layer.apply({ query: x, value: x }, training),
  ],
]) {
  test(`${name} drops attention weights by its seed, equally in two layers`, () => {
    const numbers = Float32Array.from({ length: 40 }, (_, i) => Math.sin(i));
    const x = ops.reshape(tensor(numbers), [1, 10, 4]);
    const [first, second] = [1, 2].map(() => layers[name]({ ...config, dropout: 0.5, seed: 9 }));
    // Inference builds the layer and must not draw a random number.
    const inference = (layer) =>
      name === 'multiHeadAttention' ? layer.apply({ query: x, value: x }) : layer.apply([x, x]);
    for (const layer of [first, second]) inference(layer);
    second.setWeights(first.getWeights());
    const expected = values(call(first, x));
    assert.deepEqual(values(call(second, x)), expected);
    assert.notDeepEqual(values(call(second, x)), expected);
  });
}
