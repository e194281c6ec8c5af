// SPDX-License-Identifier: MIT
// loadModel(…, { quantize }) converts each weight while it reads the file: with the numbers of a
// later quantize(), and without all floats in memory.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { collectGarbage } from '../support/garbage.js';
import { fresh } from '../support/fresh.js';

const { Input, layers, loadModel, memory, Model, ready } = mf;
before(() => ready({ seed: 11 }));
const folder = mkdtempSync(join(tmpdir(), 'maskflow-'));
after(() => rmSync(folder, { recursive: true }));

const ids = [
  [1, 2, 3, 4, 49],
  [7, 8, 9, 10, 0],
]; // prettier-ignore

function manyLayers(units) {
  const input = Input({ shape: [5], dtype: 'int32' });
  const table = layers.embedding({ inputDim: 50, outputDim: units, maskZero: true });
  const x = table.apply(input);
  const attention = layers
    .multiHeadAttention({ numHeads: 2, keyDim: 9 })
    .apply({ query: x, value: x });
  const sum = layers.add().apply([x, attention]);
  const both = layers.bidirectional({ layer: layers.gru({ units }) }).apply(sum);
  const shared = layers.dense({ units: 2 * units });
  const outputs = layers.dense({ units: 3 }).apply(shared.apply(shared.apply(both)));
  return new Model({ inputs: input, outputs });
}

describe('the numbers are those of quantize() after loading', () => {
  for (const activations of ['float32', 'int8']) {
    for (const units of [1, 8, 63, 65, 130]) {
      test(`${units} units, activations: ${activations}`, async () => {
        const file = await manyLayers(units).save();
        const later = await loadModel(file);
        await later.quantize('int8', { activations });
        const start = memory().bytes;
        const model = await loadModel(file, { quantize: { activations } });
        const bytes = memory().bytes - start;
        assert.deepEqual(model.predict(ids).data(), later.predict(ids).data());
        const numbers = (from) => from.getWeights().map((weight) => weight.array());
        assert.deepEqual(numbers(model), numbers(later));
        const { bytes: expected } = await later.quantize('int8', { activations });
        assert.ok(bytes < 2 * expected, `${bytes}`);
      });
    }
  }
});

test('samples are run on the floats, after loading', async () => {
  const file = await manyLayers(8).save();
  const model = await loadModel(file, { quantize: { samples: ids } });
  const plain = await loadModel(file, { quantize: 'int8' });
  assert.deepEqual(model.predict(ids).data(), plain.predict(ids).data());
});

test('initial weights are quantized, too', async () => {
  const file = await manyLayers(8).save();
  const before = memory().bytes;
  const model = await loadModel(file, { weights: null, quantize: 'int8' });
  const floats = model.weights.reduce(
    (sum, { shape }) => sum + 4 * shape.reduce((a, b) => a * b, 1),
    0,
  ); // prettier-ignore
  assert.ok(memory().bytes - before < floats);
});

test('a weight that is not finite is a ValueError with its name, and nothing is left', async () => {
  const model = manyLayers(8);
  const weights = model.getWeights();
  const at = model.weights.findIndex(({ path }) => path.endsWith('recurrent_kernel'));
  const kernel = weights[at].data();
  kernel[5] = Number.NaN;
  model.setWeights(weights.map((weight, i) => (i === at ? kernel : weight)));
  const file = await model.save();
  await collectGarbage();
  const start = memory().bytes;
  await assert.rejects(loadModel(file, { quantize: 'int8' }), {
    name: 'ValueError',
    message: /recurrent_kernel.*nan/i,
  });
  assert.equal(memory().bytes, start);
});

test('wrong options are refused', async () => {
  const file = await manyLayers(8).save();
  await assert.rejects(loadModel(file, { quantize: { activations: 'int4' } }), {
    name: 'ConfigError',
    message: /int4/,
  });
  await assert.rejects(loadModel(file, { quantize: { bits: 4 } }), /bits/);
  await assert.rejects(loadModel(file, { quantize: 'int4' }), /int4|options/);
});

test('the heap holds the 8-bit weights and the largest floats, not all floats', () => {
  const path = join(folder, 'large.keras');
  const width = 1024;
  fresh(`await mf.ready();
    const stack = Array.from({ length: 12 }, () => mf.layers.dense({ units: ${2 * width} }));
    await new mf.Sequential([mf.Input({ shape: [${2 * width}] }), ...stack]).save(${JSON.stringify(path)});`);
  const [{ heap, weights, result }] = fresh(`await mf.ready();
    const model = await mf.loadModel(${JSON.stringify(path)}, { quantize: 'int8' });
    const { heapBytes: heap, bytes: weights } = mf.memory();
    const result = model.predict(new Array(1).fill(new Array(${2 * width}).fill(0.1))).shape;
    say({ heap, weights, result });`);
  const largest = 4 * (2 * width) ** 2;
  assert.deepEqual(result, [1, 2 * width]);
  assert.ok(weights < 12 * largest * 0.27, `${weights}`);
  assert.ok(heap <= 1.15 * weights + largest, `${heap} for ${weights} and ${largest}`);
  assert.ok(readFileSync(path).length > 12 * largest);
});
