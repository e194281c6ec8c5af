// SPDX-License-Identifier: MIT
// Models and assertions for tests of old file formats.
import assert from 'node:assert/strict';
import * as mf from '../../dist/index.js';
import { array } from './legacy_files.js';
import { generator } from './random.js';

/** Sets random weights in one of our models. Variances stay positive. */
export function shake(model, seed = 1) {
  const random = generator(seed);
  const values = model.weights.map(({ name, shape }) => {
    const count = shape.reduce((product, dim) => product * dim, 1);
    const low = name === 'moving_variance' ? 0.3 : -1;
    return Float32Array.from({ length: count }, () => low + random() * (1 - low));
  });
  model.setWeights(values);
  return model;
}

export const ids = () =>
  mf.tensor(
    [
      [3, 5, 1, 0, 0],
      [2, 2, 4, 6, 0],
      [7, 1, 0, 0, 0],
    ],
    { dtype: 'int32' },
  );

export function floats(shape, seed = 9) {
  const random = generator(seed);
  const count = shape.reduce((product, dim) => product * dim, 1);
  return mf.tensor(
    Float32Array.from({ length: count }, () => random() * 2 - 1),
    { shape },
  );
}

const list = (value) => (Array.isArray(value) ? value : [value]);

/** Asserts that both models have the same outputs for the inputs, masks included. */
export function assertSame(loaded, reference, inputs, tolerance = 1e-6) {
  const [actual, expected] = [loaded, reference].map((model) => list(model.apply(inputs)));
  assert.equal(actual.length, expected.length);
  expected.forEach((tensor, i) => {
    assert.deepEqual(actual[i].shape, tensor.shape);
    const [actualData, expectedData] = [actual[i].data(), tensor.data()];
    const worst = expectedData.reduce((max, x, k) => Math.max(max, Math.abs(x - actualData[k])), 0);
    assert.ok(worst <= tolerance, `output ${i} differs by ${worst}`);
    assert.deepEqual(actual[i].mask?.array() ?? null, tensor.mask?.array() ?? null);
  });
}

/** Splits the columns by gate: [rows, gates * units] becomes `gates` arrays [rows, units]. */
export function gatesOf({ shape, data }, gates) {
  const columns = shape.at(-1);
  const rows = data.length / columns;
  const units = columns / gates;
  return Array.from({ length: gates }, (_, gate) => ({
    shape: shape.length === 1 ? [units] : [rows, units],
    data: Float32Array.from(
      { length: rows * units },
      (_, i) => data[Math.floor(i / units) * columns + gate * units + (i % units)],
    ),
  }));
}

/**
 * Returns [kernel, recurrent kernel, bias] as Keras 1 stored them: W, U and b of each gate. `order`
 * lists the gates of Keras 3 by index, in the order of Keras 1.
 */
export function keras1Gates(weights, letters, order, name) {
  const split = weights.map((weight) => gatesOf(weight, letters.length));
  return order.flatMap((gate, i) =>
    ['W', 'U', 'b'].map((kind, k) => {
      const { shape, data } = split[k][gate];
      return array(`${name}_${kind}_${letters[i]}`, shape, data);
    }),
  );
}
