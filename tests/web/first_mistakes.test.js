// SPDX-License-Identifier: MIT
// Mistakes of the first hour: each error says what to write instead.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as mf from '../../dist/index.js';

await mf.ready();
const { layers } = mf;
const dense = new mf.Sequential([mf.Input({ shape: [3] }), layers.dense({ units: 1 })]);

suite('first mistakes', () => {
  test('a number in place of settings is shown as a setting', () => {
    const refuses = (make, message) => assert.throws(make, { name: 'ValueError', message });
    refuses(
      () => layers.lstm(64),
      'the settings of a layer are 64 but must be an object, such as { units: 64 }',
    );
    refuses(() => layers.embedding(10, 3), /such as \{ inputDim: 10 \}/);
    refuses(() => layers.conv1D(8, 3), /such as \{ filters: 8 \}/);
    refuses(() => layers.dropout(0.5), /such as \{ rate: 0\.5 \}/);
    refuses(() => layers.lstm('64'), /are '64' but must be an object, or left out/);
  });

  test('one row in place of a batch is shown as a batch', () => {
    const refuses = (inputs, message) =>
      assert.throws(() => dense.predict(inputs), { name: 'ShapeError', message });
    refuses([1, 2, 3], /rank 1; write one row as \[\[1, 2, 3\]\]$/);
    refuses([1, 2, 3, 4], /; write one row as \[\[1, 2, 3, …\]\]$/);
    refuses([[1, 2]], /^((?!write one row).)*$/);
    refuses(mf.tensor([1, 2, 3]), /^((?!write one row).)*$/);
    // Rank 1 is right for a model of single numbers.
    const ids = new mf.Sequential([mf.Input({ shape: [] }), layers.rescaling({ scale: 2 })]);
    assert.deepEqual(ids.predict([1, 2]).array(), [2, 4]);
  });

  test('options of predict in other spellings are named', () => {
    for (const name of ['batch_size', 'batchsize', 'BatchSize']) {
      assert.throws(() => dense.predict([[1, 2, 3]], { [name]: 2 }), {
        name: 'ConfigError',
        message: `unknown option '${name}' (did you mean 'batchSize'?); the options are batchSize, workers, mask, training`,
      });
    }
    assert.throws(() => dense.predict([[1, 2, 3]], { num_workers: 2 }), /did you mean 'workers'/);
    assert.throws(() => dense.predict([[1, 2, 3]], { masks: 1 }), /did you mean 'mask'/);
  });
});
