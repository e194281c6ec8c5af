// SPDX-License-Identifier: MIT
// Layers that draw random numbers when training: how many, of which size, and that gradients use those of the forward pass.
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
  const got = values(layers.dropout({ rate: 0.3 }).apply(ones(100, 200), training));
  const dropped = got.filter((x) => x === 0).length / got.length;
  // Five standard deviations of the share.
  assert.ok(Math.abs(dropped - 0.3) < 5 * Math.sqrt((0.3 * 0.7) / got.length), `${dropped}`);
  for (const x of got) assert.ok(x === 0 || Math.abs(x - 1 / 0.7) < 1e-6);
});

test('SpatialDropout1D drops whole features', () => {
  const got = layers.spatialDropout1D({ rate: 0.4 }).apply(ones(20, 7, 50), training);
  const all = values(got);
  let dropped = 0;
  for (let row = 0; row < 20; row++) {
    for (let feature = 0; feature < 50; feature++) {
      const first = all[row * 350 + feature];
      if (first === 0) dropped++;
      for (let t = 1; t < 7; t++) assert.equal(all[row * 350 + t * 50 + feature], first);
    }
  }
  assert.ok(Math.abs(dropped / 1000 - 0.4) < 5 * Math.sqrt(0.24 / 1000), `${dropped}`);
});

test('AlphaDropout keeps mean and variance of what SELU gives', () => {
  const x = ops.selu(mf.layers.gaussianNoise({ stddev: 1 }).apply(ops.zeros([200, 200]), training));
  const got = values(layers.alphaDropout({ rate: 0.2 }).apply(x, training));
  assert.ok(Math.abs(mean(got)) < 0.03, `${mean(got)}`);
  assert.ok(Math.abs(deviation(got) - 1) < 0.03, `${deviation(got)}`);
});

test('GaussianNoise adds and GaussianDropout multiplies normal numbers', () => {
  const added = values(layers.gaussianNoise({ stddev: 0.5 }).apply(ones(100, 100), training));
  assert.ok(Math.abs(mean(added) - 1) < 0.025 && Math.abs(deviation(added) - 0.5) < 0.02);
  const scaled = values(layers.gaussianDropout({ rate: 0.2 }).apply(ones(100, 100), training));
  // sqrt(rate / (1 - rate)).
  assert.ok(Math.abs(mean(scaled) - 1) < 0.025 && Math.abs(deviation(scaled) - 0.5) < 0.02);
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
  test(`${name} with a seed begins the same in every layer, and goes on`, () => {
    const first = layers[name]({ ...config, seed: 3 });
    const second = layers[name]({ ...config, seed: 3 });
    const other = layers[name]({ ...config, seed: 4 });
    const calls = (layer) => [1, 2].map(() => values(layer.apply(x(), training)));
    const [a, b] = calls(first);
    assert.deepEqual(calls(second), [a, b]);
    assert.notDeepEqual(a, b);
    assert.notDeepEqual(calls(other)[0], a);
  });

  test(`${name} is differentiated with the numbers of the forward pass`, () => {
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
    const given = values(input);
    for (let i = 0; i < y.length; i++) {
      // y = m x (+ a constant): the slope is m.
      const slope = name === 'gaussianNoise' ? 1 : y[i] / given[i];
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
  test(`${name} drops attention weights by its seed, and twice alike`, () => {
    const numbers = Float32Array.from({ length: 40 }, (_, i) => Math.sin(i));
    const x = ops.reshape(tensor(numbers), [1, 10, 4]);
    const [first, second] = [1, 2].map(() => layers[name]({ ...config, dropout: 0.5, seed: 9 }));
    // Built without a draw.
    const inference = (layer) =>
      name === 'multiHeadAttention' ? layer.apply({ query: x, value: x }) : layer.apply([x, x]);
    for (const layer of [first, second]) inference(layer);
    second.setWeights(first.getWeights());
    const drawn = values(call(first, x));
    assert.deepEqual(values(call(second, x)), drawn);
    assert.notDeepEqual(values(call(second, x)), drawn);
  });
}
