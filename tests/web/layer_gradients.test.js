// SPDX-License-Identifier: MIT
// Gradients of layers without a recorded case: empty batches, everything masked, a layer that is
// used twice, a frozen one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../dist/train.js';

const { layers, ops, tensor, valueAndGradients } = mf;
await mf.ready({ seed: 5, onMaskDropped: 'silent' });

const size = (shape) => shape.reduce((product, dim) => product * dim, 1);
const random = (...shape) => {
  const numbers = Float32Array.from({ length: size(shape) }, (_, i) => Math.sin(1 + i * 1.7));
  return ops.reshape(tensor(numbers), shape);
};
const mask = (rows) => {
  const numbers = tensor(Float32Array.from(rows.flat()));
  return ops.notEqual(ops.reshape(numbers, [rows.length, rows[0].length]), 0);
};
const square = (x) => ops.sum(ops.multiply(x, x));
const firstOf = (result) => [result].flat()[0];

/** Gradients of the sum of squares of the layer's result, with respect to its weights and x. */
function gradientsOf(layer, x, call = (input) => layer.apply(input)) {
  call(x);
  const weights = layer.getWeights();
  const { gradients } = valueAndGradients(() => square(firstOf(call(x))), [x, ...weights]);
  return gradients.map((gradient) => (gradient ? Array.from(gradient.data()) : null));
}

const makers = {
  conv1D: () => layers.conv1D({ filters: 3, kernelSize: 2, padding: 'same' }),
  conv1DTranspose: () => layers.conv1DTranspose({ filters: 3, kernelSize: 2, strides: 2 }),
  depthwiseConv1D: () => layers.depthwiseConv1D({ kernelSize: 2, depthMultiplier: 2 }),
  separableConv1D: () => layers.separableConv1D({ filters: 3, kernelSize: 2 }),
  maxPooling1D: () => layers.maxPooling1D({ poolSize: 2 }),
  globalMaxPooling1D: () => layers.globalMaxPooling1D(),
  globalAveragePooling1D: () => layers.globalAveragePooling1D(),
  einsumDense: () =>
    layers.einsumDense({ equation: 'abc,cd->abd', outputShape: [null, 5], biasAxes: 'd' }),
  attention: () => layers.attention({ useScale: true }),
  additiveAttention: () => layers.additiveAttention(),
  multiHeadAttention: () => layers.multiHeadAttention({ numHeads: 2, keyDim: 3, useGate: true }),
  timeDistributed: () => layers.timeDistributed({ layer: layers.dense({ units: 2 }) }),
};
const calls = {
  attention: (layer) => (x) => layer.apply([x, x]),
  additiveAttention: (layer) => (x) => layer.apply([x, x]),
  multiHeadAttention: (layer) => (x) => layer.apply({ query: x, value: x }),
};

for (const [name, make] of Object.entries(makers)) {
  test(`${name} of an empty batch has gradients of zeros`, () => {
    const layer = make();
    const call = calls[name]?.(layer);
    const [dx, ...weightGradients] = gradientsOf(layer, random(0, 4, 3), call);
    assert.deepEqual(dx ?? [], []);
    for (const gradient of weightGradients)
      assert.ok(gradient === null || gradient.every((g) => g === 0));
  });

  test(`${name} that is used twice has the sum of both gradients`, () => {
    const layer = make();
    const call = calls[name]?.(layer) ?? ((x) => layer.apply(x));
    const [a, b] = [random(2, 4, 3), ops.multiply(random(2, 4, 3), 0.5)];
    const separate = [a, b].map((x) => gradientsOf(layer, x, call).slice(1));
    const weights = layer.getWeights();
    const { gradients } = valueAndGradients(
      () => ops.add(square(firstOf(call(a))), square(firstOf(call(b)))),
      weights,
    );
    for (const [i, gradient] of gradients.entries()) {
      const actual = Array.from(gradient.data());
      for (const [k, g] of actual.entries()) {
        const expected = separate[0][i][k] + separate[1][i][k];
        assert.ok(
          Math.abs(g - expected) < 1e-4 * Math.max(1, Math.abs(expected)),
          `${g} ${expected}`,
        );
      }
    }
  });
}

test('attention of rows without kept steps has finite gradients', () => {
  const keptSteps = mask([
    [0, 0, 0, 0],
    [1, 0, 1, 0],
  ]);
  for (const name of ['attention', 'additiveAttention', 'multiHeadAttention']) {
    const layer = makers[name]();
    // The layer removes the masks of its arguments, so each call needs a new one.
    const call = (x) => calls[name](layer)(x.withMask(keptSteps));
    for (const gradient of gradientsOf(layer, random(2, 4, 3), call)) {
      assert.ok(gradient.every(Number.isFinite), name);
    }
  }
});

test('an average has no gradient for masked steps, even if they are NaN', () => {
  const layer = layers.globalAveragePooling1D();
  const numbers = Float32Array.from([1, 2, Number.NaN, 4]);
  const x = ops.reshape(tensor(numbers), [1, 4, 1]);
  const keptSteps = mask([[1, 1, 0, 1]]);
  const [dx] = gradientsOf(layer, x, (input) => layer.apply(input.withMask(keptSteps)));
  const each = Math.fround((2 * (7 / 3)) / 3);
  assert.deepEqual(
    dx.map((g) => g.toFixed(5)),
    [each, each, 0, each].map((g) => g.toFixed(5)),
  );
});

test('moving statistics change only in training, and not if frozen', () => {
  const layer = layers.batchNormalization();
  const x = random(4, 3);
  layer.build([4, 3]);
  const statistics = () =>
    layer
      .getWeights()
      .slice(2)
      .map((x) => Array.from(x.data()));
  const start = statistics();
  const differentiate = (options) => valueAndGradients(() => square(layer.apply(x, options)), [x]);
  differentiate({});
  assert.deepEqual(statistics(), start);
  layer.trainable = false;
  differentiate({ training: true });
  assert.deepEqual(statistics(), start);
  layer.trainable = true;
  differentiate({ training: true });
  assert.notDeepEqual(statistics(), start);
});

test('a spectrally normalized kernel has the gradient of its normalized values', () => {
  const dense = layers.dense({ units: 2, useBias: false });
  const layer = layers.spectralNormalization({ layer: dense });
  const x = random(3, 4);
  layer.build([3, 4]);
  const kernel = layer.getWeights()[0];
  const { gradients } = valueAndGradients(
    () => square(layer.apply(x, { training: true })),
    [dense.getWeights()[0]],
  );
  const normalized = dense.getWeights()[0];
  assert.notDeepEqual(normalized.data(), kernel.data());
  const { gradients: expected } = valueAndGradients(
    () => square(ops.matmul(x, normalized)),
    [normalized],
  );
  for (const [i, g] of Array.from(gradients[0].data()).entries()) {
    assert.ok(Math.abs(g - expected[0].data()[i]) < 1e-5, `${g}`);
  }
});
