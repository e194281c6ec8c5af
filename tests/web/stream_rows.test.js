// SPDX-License-Identifier: MIT
// Layers that treat each row alone write their steps where the last step was. Nothing else may see
// the numbers change.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { forSeeds, integer, pick } from '../support/random.js';

before(() => mf.ready({ onMaskDropped: 'silent', seed: 5 }));

const { Input, Layer, layers, Model, Sequential, tensor } = mf;

const numbers = (rng, n) => Float32Array.from({ length: n }, () => rng() * 2 - 1);

const makers = [
  (rng, x, width) =>
    layers.dense({ units: width, activation: pick(rng, ['relu', 'gelu', 'softmax']) }).apply(x),
  (_, x) => layers.layerNormalization().apply(x),
  (_, x) => layers.rmsNormalization().apply(x),
  (rng, x) => layers.activation({ activation: pick(rng, ['elu', 'linear', 'tanh']) }).apply(x),
  (_, x) => layers.dropout({ rate: 0.5 }).apply(x),
  (_, x) => layers.identity().apply(x),
  (_, x) => layers.reLU().apply(x),
  (_, x, width) =>
    layers
      .multiHeadAttention({ numHeads: 2, keyDim: width })
      .apply({ query: x, value: x }, { useCausalMask: true }),
  (_, x, width) =>
    layers
      .groupQueryAttention({ headDim: width, numQueryHeads: 4, numKeyValueHeads: 2 })
      .apply({ query: x, value: x }, { useCausalMask: true }),
  (_, x, width) => layers.gru({ units: width, returnSequences: true }).apply(x),
];
const joins = [
  (a, b) => layers.add().apply([a, b]),
  (a, b) => layers.subtract().apply([a, b]),
  (a, b) => layers.average().apply([a, b]),
  (a, b) => layers.maximum().apply([a, b]),
];

/** A model of random layers, each of which reads one or two earlier values. */
function randomModel(rng, width) {
  const input = Input({ shape: [null, width] });
  const values = [input];
  for (let i = integer(rng, 2, 9); i > 0; i--) {
    values.push(
      integer(rng, 0, 3) === 0
        ? pick(rng, joins)(pick(rng, values), pick(rng, values))
        : pick(rng, makers)(rng, pick(rng, values.slice(-2)), width),
    );
  }
  return new Model({ inputs: input, outputs: [values.at(-1), pick(rng, values.slice(1))] });
}

/** Random values in all weights, so that no layer is the identity. */
function randomize(rng, model) {
  model.setWeights(model.getWeights().map((w) => tensor(numbers(rng, w.size), { shape: w.shape })));
}

test('steps of random models return the numbers of predict', () => {
  forSeeds(80, (rng) => {
    const [width, time] = [integer(rng, 1, 9), 7];
    const model = randomModel(rng, width);
    randomize(rng, model);
    const x = numbers(rng, time * width);
    const expected = model.predict(tensor(x, { shape: [1, time, width] })).map((y) => y.data());
    const stream = model.stream();
    for (let t = 0; t < time; ) {
      const steps = Math.min(pick(rng, [1, 1, 1, 2]), time - t);
      const part = tensor(x.slice(t * width, (t + steps) * width), { shape: [1, steps, width] });
      for (const [i, y] of stream.step(part).entries()) {
        for (const [j, value] of y.data().entries()) {
          const wanted = expected[i][t * width + j];
          assert.ok(
            Math.abs(value - wanted) <= 1e-4 * Math.max(1, Math.abs(wanted)),
            `step ${t}: ${value}, ${wanted}`,
          );
        }
      }
      t += steps;
    }
    stream.dispose();
    model.dispose();
  });
});

test('a mask that keeps all steps changes no bit', () => {
  forSeeds(40, (rng) => {
    const width = integer(rng, 1, 9);
    const model = randomModel(rng, width);
    randomize(rng, model);
    const [plain, masked] = [model.stream(), model.stream()];
    for (let t = 0; t < 6; t++) {
      const x = numbers(rng, width);
      const mask = integer(rng, 0, 2) > 0 ? [true] : null;
      const expected = plain.step(x).map((y) => [...y.data()]);
      assert.deepEqual(
        masked.step(x, { mask }).map((y) => [...y.data()]),
        expected,
      );
    }
    model.dispose();
  });
});

test('a tensor that user code keeps is not overwritten by later steps', () => {
  const kept = [];
  class Keeping extends Layer {
    call(x) {
      kept.push(mf.keep(x));
      return x;
    }
  }
  const model = new Sequential([
    Input({ shape: [null, 2] }),
    layers.dense({ units: 2, useBias: false, kernelInitializer: 'identity' }),
    layers.timeDistributed({ layer: new Keeping() }),
    layers.dense({ units: 2, useBias: false, kernelInitializer: 'identity' }),
  ]);
  const stream = model.stream();
  kept.length = 0;
  const results = [1, 2, 3].map((i) => stream.step(Float32Array.of(i, -i)));
  assert.deepEqual(
    kept.map((x) => [...x.data()]),
    [
      [1, -1],
      [2, -2],
      [3, -3],
    ],
  );
  assert.deepEqual(
    results.map((x) => [...x.data()]),
    [
      [1, -1],
      [2, -2],
      [3, -3],
    ],
  );
});

test('steps use weights that were set after the step before', () => {
  const dense = layers.dense({ units: 2, useBias: false });
  const normal = layers.layerNormalization();
  const model = new Sequential([Input({ shape: [null, 2] }), dense, normal]);
  const stream = model.stream();
  const step = Float32Array.of(3, 5);
  for (const factor of [1, 2, -1]) {
    dense.setWeights([
      [
        [factor, 0],
        [0, factor],
      ],
    ]);
    normal.setWeights([
      [factor, 2],
      [0, factor],
    ]);
    const whole = model.predict(tensor([[[3, 5]]])).data();
    assert.deepEqual([...stream.step(step).data()], [...whole]);
  }
});

test('a step without data in its attention is NaN from there on, as in predict', () => {
  const input = Input({ shape: [null, 2] });
  const attention = layers.multiHeadAttention({ numHeads: 2, keyDim: 3 });
  const model = new Model({
    inputs: input,
    outputs: attention.apply({ query: input, value: input }, { useCausalMask: true }),
  });
  for (const bad of [0, 2]) {
    const stream = model.stream();
    for (let t = 0; t < 4; t++) {
      const y = stream.step(Float32Array.of(t === bad ? NaN : 1, t)).data();
      assert.equal(y.every(Number.isNaN), t >= bad);
      assert.equal(y.some(Number.isNaN), t >= bad);
    }
  }
});
