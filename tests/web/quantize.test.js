// SPDX-License-Identifier: MIT
// 8-bit kernels: their size, their error, and how they are saved.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { readFileSync } from 'node:fs';
import * as mf from '../../dist/index.js';

const { Input, layers, loadModel, Model, ready, Sequential, tensor } = mf;
before(() => ready({ seed: 3 }));

const readTrained = (name) => readFileSync(new URL(`../fixtures/trained/${name}`, import.meta.url));

function recurrent() {
  const model = new Sequential([
    Input({ shape: [null, 12] }),
    layers.masking(),
    layers.lstm({ units: 40, returnSequences: true }),
    layers.gru({ units: 24 }),
    layers.dense({ units: 5, activation: 'softmax' }),
  ]);
  const data = Float32Array.from({ length: 6 * 9 * 12 }, (_, i) => Math.sin(i * i));
  data.fill(0, 12 * 6, 12 * 9); // The first row is padded.
  return { model, x: tensor(data, { shape: [6, 9, 12] }) };
}

for (const [activations, largest] of [
  ['float32', 0.01],
  ['int8', 0.04],
]) {
  describe(`activations: ${activations}`, () => {
    test('weights need a quarter of the bytes, and outputs hardly change', async () => {
      const { model, x } = recurrent();
      const before = model.predict(x).array();
      const report = await model.quantize('int8', { activations, samples: x });
      assert.deepEqual(
        report.weights.map(({ path }) => path.split('/').at(-1)),
        ['kernel', 'recurrent_kernel', 'kernel', 'recurrent_kernel', 'kernel'],
      );
      const elements = 12 * 160 + 40 * 160 + 40 * 72 + 24 * 72 + 24 * 5;
      const biases = 160 + 2 * 72 + 5;
      assert.equal(report.bytesBefore, 4 * (elements + biases));
      assert.deepEqual(
        report.floats.map(({ path, bytes }) => [path.split('/').at(-1), bytes]),
        [160, 2 * 72, 5].map((size) => ['bias', 4 * size]),
      );
      assert.ok(report.bytes < report.bytesBefore * 0.4, `${report.bytes}`);
      for (const { maxError } of report.weights) assert.ok(maxError > 0 && maxError < 0.01);
      const [output] = report.outputs;
      assert.ok(output.maxError > 0 && output.maxError < largest, JSON.stringify(output));
      assert.ok(output.rmsError <= output.maxError && output.rms > output.rmsError);
      assert.equal(output.sameArgmax, 1);
      // The report must describe the results that predict() returns.
      const after = model.predict(x).array();
      const apart = Math.max(
        ...after.flatMap((row, r) => row.map((v, i) => Math.abs(v - before[r][i]))),
      );
      assert.equal(apart, output.maxError);
    });

    test('padding still changes nothing', async () => {
      const { model, x } = recurrent();
      await model.quantize('int8', { activations });
      const longer = tensor(x.array().map((row) => [...row, ...Array(4).fill(Array(12).fill(0))]));
      assert.deepEqual(model.predict(longer).array(), model.predict(x).array());
    });

    test('a trained model still gives the recorded answers', async () => {
      const { examples } = JSON.parse(readTrained('brackets.json').toString());
      const ids = mf.padSequences(
        examples.map((example) => example.ids),
        { padding: 'post' },
      );
      const model = await loadModel(readTrained('brackets.keras'), { quantize: { activations } });
      const actual = model.predict(ids).array();
      examples.forEach(({ text, output, balanced }, i) => {
        assert.equal(actual[i][0] > 0.5, balanced, text);
        assert.ok(
          Math.abs(actual[i][0] - output) < 0.05,
          `${text}: ${actual[i][0]}, not ${output}`,
        );
      });
    });
  });
}

test('a model can be loaded in 8 bits by the name of the mode', async () => {
  const model = await loadModel(readTrained('brackets.keras'), { quantize: 'int8' });
  const floatModel = await loadModel(readTrained('brackets.keras'));
  const kernel = (source) =>
    source.getWeights()[source.weights.findIndex(({ name }) => name === 'kernel')].data();
  const [a, b] = [kernel(model), kernel(floatModel)];
  assert.notDeepEqual(a, b);
  const largest = Math.max(...b.map(Math.abs));
  assert.ok(a.every((value, i) => Math.abs(value - b[i]) <= largest / 254 + 1e-7));
});

test('weights that are set are floats again', async () => {
  const { model, x } = recurrent();
  const weights = model.getWeights();
  const before = model.predict(x).array();
  await model.quantize();
  assert.notDeepEqual(model.predict(x).array(), before);
  model.setWeights(weights);
  assert.deepEqual(model.predict(x).array(), before);
});

test('a quantized model is saved as floats with the same results', async () => {
  const { model, x } = recurrent();
  await model.quantize();
  const copy = await loadModel(await model.save());
  const [actual, expected] = [copy.predict(x).data(), model.predict(x).data()];
  assert.ok(actual.every((value, i) => Math.abs(value - expected[i]) < 1e-6));
});

test('shared layers are quantized once, inner layers too, layers without kernels not', async () => {
  const dense = layers.dense({ units: 8 });
  const [a, b] = [Input({ shape: [4] }), Input({ shape: [4] })];
  const inner = new Sequential([Input({ shape: [8] }), layers.dense({ units: 3 })]);
  const sum = layers.add().apply([dense.apply(a), dense.apply(b)]);
  const model = new Model({
    inputs: [a, b],
    outputs: inner.apply(layers.layerNormalization().apply(sum)),
  });
  assert.equal((await model.quantize()).weights.length, 2);
});

test('a matrix with NaN, a model without weights, a wrong mode and wrong settings are refused', async () => {
  const model = new Sequential([layers.dense({ units: 2 })]);
  await assert.rejects(model.quantize(), { name: 'StateError', message: /build it/ });
  model.build([null, 2]);
  await assert.rejects(model.quantize('int4'), { name: 'ConfigError', message: /int4.*int8/ });
  const half = { activations: 'float16' };
  await assert.rejects(model.quantize('int8', half), { name: 'ConfigError', message: /float16/ });
  model.setWeights([
    [
      [1, NaN],
      [1, 2],
    ],
    [0, 0],
  ]);
  await assert.rejects(model.quantize(), { name: 'ValueError', message: /kernel.*nan/i });
});

test('samples that arrive later are refused, and no rejection is left', async () => {
  const { model, x } = recurrent();
  const later = [async () => [x], async function* () {}, { samples: x, call: { workers: 2 } }];
  for (const samples of later) {
    const options = samples.samples ? samples : { samples };
    await assert.rejects(model.quantize('int8', options), {
      name: 'ConfigError',
      message: /`samples`.* arrays or tensors/,
    });
  }
  await new Promise((done) => setTimeout(done, 20));
});

test('all memory is freed', async () => {
  const start = mf.memory();
  const { model, x } = recurrent();
  const report = await model.quantize('int8', { samples: x });
  assert.equal(report.outputs.length, 1);
  for (const layer of model.layers) layer.dispose();
  model.dispose();
  x.dispose();
  assert.deepEqual(mf.memory(), start);
});

describe('inputs near the limits of floats', () => {
  const dense = async (features, activations) => {
    const model = new Sequential([
      Input({ shape: [features] }),
      layers.dense({ units: 1, kernelInitializer: 'ones', useBias: false }),
    ]);
    await model.quantize('int8', { activations });
    return (...row) => {
      const data = Float32Array.from({ length: features }, (_, i) => row[i % row.length]);
      return model.predict(tensor(data, { shape: [1, features] })).item();
    };
  };
  for (const activations of ['float32', 'int8']) {
    test(`sums of many features do not overflow: ${activations}`, async () => {
      // 133,144 products of 127 · 127 are the most that fit in 31 bits.
      for (const features of [133_144, 133_145, 270_001]) {
        const predict = await dense(features, activations);
        for (const [x, expected] of [
          [1, features],
          [-1, -features],
        ]) {
          assert.ok(Math.abs(predict(x) / expected - 1) < 1e-2, `${features}: ${predict(x)}`);
        }
      }
    });
    test(`large and small numbers have finite products: ${activations}`, async () => {
      const predict = await dense(2, activations);
      // In 7 bits, the sum of two numbers that cancel is off by at most two of the 127 steps.
      assert.ok(Math.abs(predict(3e38, -3e38)) <= (2 * 3e38) / 127);
      assert.equal(predict(-0, -0), 0);
      for (const x of [3e38, 1e37, 1e-30]) {
        for (const sign of [1, -1]) {
          assert.ok(Math.abs(predict(sign * x, 0) / (sign * x) - 1) < 1e-5, `${x}`);
        }
      }
      for (const x of [1e-38, 1e-40, 1e-45]) {
        assert.ok(Math.abs(predict(x, x) - 2 * x) < 2.4e-38, `${x}`);
      }
      for (const x of [Infinity, -Infinity, NaN]) assert.ok(!Number.isFinite(predict(1, x)));
    });
  }
});
