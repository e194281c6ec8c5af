// SPDX-License-Identifier: MIT
// Whole models in 8 bits need a quarter of the bytes, in the report and in memory, and their
// outputs hardly change.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { readFileSync } from 'node:fs';
import * as mf from '../../dist/index.js';
import { collectGarbage } from '../support/garbage.js';

const { Input, layers, loadModel, Layer, memory, Model, ready, Sequential, tensor } = mf;
before(() => ready({ seed: 5 }));

const sine = (shape, scale = 1) =>
  tensor(
    Float32Array.from(
      { length: shape.reduce((a, b) => a * b, 1) },
      (_, i) => scale * Math.sin(i * 1.7 + (i % 13)),
    ),
    { shape },
  );
/** Returns ids below `count`, padded at the end. */
const idsOf = (rows, time, count) =>
  tensor(
    Array.from({ length: rows }, (_, row) =>
      Array.from({ length: time }, (_, t) =>
        t < time - 2 * row ? 1 + ((row * 7919 + t * 104729) % (count - 1)) : 0,
      ),
    ),
    { dtype: 'int32' },
  );

function textClassifier() {
  const model = new Sequential([
    Input({ shape: [null], dtype: 'int32' }),
    layers.embedding({ inputDim: 5000, outputDim: 64, maskZero: true }),
    layers.bidirectional({ layer: layers.lstm({ units: 64 }) }),
    layers.dense({ units: 1, activation: 'sigmoid' }),
  ]);
  return { model, x: idsOf(8, 40, 5000) };
}

function transformerBlock() {
  const x = Input({ shape: [null, 128] });
  const attention = layers
    .multiHeadAttention({ numHeads: 4, keyDim: 32 })
    .apply({ query: x, value: x });
  const normalized = layers.layerNormalization().apply(layers.add().apply([x, attention]));
  const expanded = layers.dense({ units: 512, activation: 'relu' }).apply(normalized);
  const sum = layers.add().apply([normalized, layers.dense({ units: 128 }).apply(expanded)]);
  const model = new Model({ inputs: x, outputs: layers.layerNormalization().apply(sum) });
  return { model, x: sine([4, 24, 128]) };
}

/** Layer-normalized outputs are about 1; those of the classifier are probabilities near 0.5. */
const cases = [
  { name: 'a text classifier', make: textClassifier, float32: 0.0002, int8: 0.0005 },
  { name: 'a transformer block', make: transformerBlock, float32: 0.02, int8: 0.05 },
];

for (const { name, make, ...bounds } of cases) {
  for (const activations of ['float32', 'int8']) {
    test(`${name}, activations: ${activations}`, async () => {
      const { model, x } = make();
      model.predict(x).dispose();
      await collectGarbage();
      const start = memory().bytes;
      const report = await model.quantize('int8', { activations, samples: x });
      const elements = model.weights.reduce(
        (sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1),
        0,
      );
      assert.equal(report.bytesBefore, 4 * elements);
      assert.ok(report.bytes <= 0.27 * report.bytesBefore, `${report.bytes / report.bytesBefore}`);
      assert.equal(start - memory().bytes, report.bytesBefore - report.bytes);
      const [output] = report.outputs;
      assert.ok(output.maxError > 0 && output.maxError < bounds[activations], output.maxError);
      await collectGarbage();
      // Reading, saving and predicting do not restore the floats.
      const bytesAfter = memory().bytes;
      for (const weight of model.getWeights()) {
        weight.data();
        weight.dispose();
      }
      await model.save();
      model.predict(x).dispose();
      assert.equal(memory().bytes, bytesAfter);
    });
  }
}

test('a saved 8-bit model has the same results, also when loaded in 8 bits', async () => {
  for (const { make } of cases) {
    const { model, x } = make();
    await model.quantize();
    const expected = model.predict(x).data();
    const bytes = await model.save();
    for (const quantize of [undefined, 'int8']) {
      const actual = (await loadModel(bytes, quantize ? { quantize } : {})).predict(x).data();
      assert.ok(actual.every((value, i) => Math.abs(value - expected[i]) < 2e-5));
    }
  }
});

test('loaded weights are floats again', async () => {
  const { model, x } = textClassifier();
  const predict = () => {
    const result = model.predict(x);
    const data = result.data();
    result.dispose();
    return data;
  };
  const before = predict();
  const file = await model.save();
  await collectGarbage();
  const start = memory().bytes;
  await model.quantize();
  assert.notDeepEqual(predict(), before);
  await model.loadWeights(file);
  assert.deepEqual(predict(), before);
  assert.equal(memory().bytes, start);
});

test('padding changes nothing', async () => {
  const { model, x } = textClassifier();
  await model.quantize();
  const longer = tensor(
    x.array().map((row) => [...row, 0, 0, 0]),
    { dtype: 'int32' },
  );
  assert.deepEqual(model.predict(longer).data(), model.predict(x).data());
});

test('a stream returns the results of predict', async () => {
  const model = new Sequential([
    Input({ shape: [null], dtype: 'int32' }),
    layers.embedding({ inputDim: 50, outputDim: 12 }),
    layers.lstm({ units: 9, returnSequences: true }),
    layers.conv1D({ filters: 4, kernelSize: 3, padding: 'causal' }),
  ]);
  const ids = idsOf(1, 9, 50);
  await model.quantize();
  const [expected] = model.predict(ids).array();
  const stream = model.stream();
  for (const [t, id] of ids.array()[0].entries()) {
    const actual = stream.step(tensor([[id]], { dtype: 'int32' })).data();
    expected[t].forEach((value, i) => {
      assert.ok(Math.abs(actual[i] - value) < 1e-6, `${t} ${i}`);
    });
  }
  stream.dispose();
});

test('the report lists weights that stay floats, such as those of custom layers', async () => {
  class Scaled extends Layer {
    build() {
      this.kernel = this.addWeight({ name: 'kernel', shape: [6, 6] });
    }
    call(x) {
      return mf.ops.matmul(x, this.kernel.value);
    }
  }
  const model = new Sequential([
    Input({ shape: [12, 6] }),
    layers.separableConv1D({ filters: 6, kernelSize: 3 }),
    new Scaled({}),
  ]);
  const { weights, floats } = await model.quantize();
  const names = (list) => list.map(({ path }) => path.split('/').at(-1));
  assert.deepEqual(names(weights), ['pointwise_kernel']);
  assert.deepEqual(names(floats), ['depthwise_kernel', 'bias', 'kernel']);
  assert.deepEqual(
    floats.map(({ bytes }) => bytes),
    [3 * 6 * 4, 6 * 4, 36 * 4],
  );
});

describe('trained models keep their recorded answers', () => {
  const read = (name) => readFileSync(new URL(`../fixtures/trained/${name}`, import.meta.url));
  const pad = (examples) =>
    mf.padSequences(
      examples.map(({ ids }) => ids),
      { padding: 'post' },
    );
  const inputs = {
    brackets: pad,
    adding: pad,
    sensor: (examples) =>
      tensor(examples.map(({ input }) => [...input, ...Array(48 - input.length).fill([-1, -1])])),
  };
  /**
   * Functions that read a model's answer: balanced or not, the digit at each place, or a sensor
   * reading.
   */
  const check = {
    brackets: ([share], { balanced }) => assert.equal(share > 0.5, balanced),
    adding: (places, { argmax }) =>
      assert.deepEqual(
        places.map((place) => place.indexOf(Math.max(...place))),
        argmax,
      ),
    sensor: () => {},
  };
  /**
   * Largest allowed distance from Keras's float outputs, which are probabilities or readings about
   * 0.5. The sensor model itself misses its readings by 0.23 on average.
   */
  const bounds = {
    brackets: { float32: 0.005, int8: 0.005 },
    adding: { float32: 0.02, int8: 0.05 },
    sensor: { float32: 0.02, int8: 0.06 },
  };
  for (const [name, bound] of Object.entries(bounds)) {
    for (const activations of ['float32', 'int8']) {
      test(`${name}, activations: ${activations}`, async () => {
        const { examples } = JSON.parse(read(`${name}.json`).toString());
        const model = await loadModel(read(`${name}.keras`));
        const { weights, bytes, bytesBefore } = await model.quantize('int8', { activations });
        assert.ok(bytes < bytesBefore / 2);
        assert.equal(
          weights.some(({ path }) => path.endsWith('embeddings')),
          name !== 'sensor',
        );
        const actual = model.predict(inputs[name](examples)).array();
        for (const [i, example] of examples.entries()) check[name](actual[i], example);
        // Some recorded examples contain only the answer, without the outputs.
        const apart = examples.flatMap(({ output }, i) => {
          if (output === undefined) return [];
          const [a, b] = [actual[i].flat(), [output].flat(2)];
          assert.equal(a.length, b.length);
          return a.map((value, j) => Math.abs(value - b[j]));
        });
        const max = Math.max(...apart);
        assert.ok(max > 0 && max < bound[activations], `${max}`);
      });
    }
  }
});
