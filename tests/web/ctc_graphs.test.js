// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unzipSync } from 'fflate';
import * as mf from '../../dist/train.js';

test('ctcLoss of a graph has the class and module of Keras in files', async () => {
  await mf.ready({ seed: 1 });
  const inputs = [
    { batchShape: [2, 2], dtype: 'int32' },
    { batchShape: [2, 5, 4] },
    { batchShape: [2], dtype: 'int32' },
    { batchShape: [2], dtype: 'int32' },
  ].map((settings) => mf.Input(settings));
  const outputs = mf.ops.ctcLoss(...inputs, { maskIndex: 3 });
  const model = new mf.Model({ inputs, outputs });
  const integers = (values) => mf.tensor(values, { dtype: 'int32' });
  const labels = integers([
    [1, 2],
    [2, 1],
  ]);
  const data = [labels, mf.random.normal([2, 5, 4]), integers([2, 1]), integers([5, 4])];
  const expected = model.apply(data).array();
  const file = await model.save();
  const config = JSON.parse(new TextDecoder().decode(unzipSync(file)['config.json']));
  const entry = config.config.layers.find(({ name }) => /ctc/i.test(name));
  assert.equal(entry.class_name, 'CTCLoss');
  assert.equal(entry.module, 'keras.src.ops.nn');
  assert.deepEqual((await mf.loadModel(file)).apply(data).array(), expected);
  // Earlier files have another spelling.
  const old = JSON.parse(JSON.stringify(config).replace('"CTCLoss"', '"CtcLoss"'));
  assert.deepEqual((await mf.loadModel(old, { weights: null })).apply(data).array(), expected);
});
