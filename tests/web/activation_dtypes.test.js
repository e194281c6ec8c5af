// SPDX-License-Identifier: MIT
// Dtypes of activation layers for integers and bools, beside real Keras;
// tests/fixtures/activation_dtypes/record.py recorded them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { close } from '../support/watch.js';

before(() => mf.ready());
const { deserializeLayer, Input, layers, loadModel, Model, ops, tensor } = mf;

const path = new URL('../fixtures/activation_dtypes/cases.json', import.meta.url);
const cases = JSON.parse(readFileSync(path, 'utf8'));

for (const { class: name, config, input, x, dtype, y } of cases) {
  test(`${name} ${JSON.stringify(config)} of ${input} ${x} returns ${dtype}`, () => {
    const layer = deserializeLayer({ class_name: name, config });
    const result = layer.apply(ops.cast(tensor(x, { dtype: 'int32' }), input));
    assert.equal(result.dtype, dtype);
    if (dtype === 'float32') close(result.array()[0], y[0], 1e-6, name);
    else assert.deepEqual(result.array(), y);
  });
}

test('a graph, a file and a training keep the integers', async () => {
  const x = Input({ shape: [3], dtype: 'int32' });
  const ids = layers.activation({ activation: 'relu' }).apply(x);
  assert.equal(ids.dtype, 'int32');
  const embedded = layers.embedding({ inputDim: 5, outputDim: 2 }).apply(layers.reLU().apply(ids));
  const outputs = layers.dense({ units: 1 }).apply(layers.flatten().apply(embedded));
  const model = new Model({ inputs: x, outputs });
  const rows = [
    [-1, 2, 4],
    [3, -7, 0],
  ];
  const positive = rows.map((row) => row.map((id) => Math.max(id, 0)));
  assert.deepEqual(model.predict(rows).array(), model.predict(positive).array());
  const copy = await loadModel(await model.save());
  assert.deepEqual(copy.predict(rows).array(), model.predict(rows).array());
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  const before = model.getWeights()[0].array();
  await model.fit(rows, [[1], [2]], { epochs: 1 });
  assert.notDeepEqual(model.getWeights()[0].array(), before);
});

test('a stream returns the integers of the whole sequence', async () => {
  const x = Input({ shape: [null, 2], dtype: 'int32' });
  const model = new Model({
    inputs: x,
    outputs: layers.activation({ activation: 'relu' }).apply(x),
  });
  const rows = [
    [
      [-1, 2],
      [3, -4],
    ],
  ];
  const whole = model.predict(rows);
  assert.equal(whole.dtype, 'int32');
  const stream = model.stream();
  for (const [i, step] of rows[0].entries()) {
    const result = await stream.step([step]);
    assert.deepEqual(result.array().flat(), whole.array()[0][i]);
  }
});
