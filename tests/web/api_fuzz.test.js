// SPDX-License-Identifier: MIT
// Random calls of the whole API end in results or typed errors and free all memory. `node
// scripts/fuzz.mjs api` runs more cases.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../dist/train.js';
import { batched } from '../../dist/worker.js';
import { fuzz } from '../fuzz/fuzz.js';

test('600 random cases fail nowhere', { timeout: 600_000 }, async () => {
  const { cases, counts, failures } = await fuzz(0, 600, undefined, './api.js');
  assert.deepEqual(failures, []);
  assert.equal(cases, 600);
  // If all calls were refused, or all accepted, nothing would be tested.
  assert.ok(counts.result > 200 && counts.ValueError > 100, JSON.stringify(counts));
});

test('values that have no text are typed errors wherever a number is needed', async () => {
  await mf.ready();
  const model = new mf.Sequential([mf.Input({ shape: [1] }), mf.layers.dense({ units: 1 })]);
  model.compile({ loss: 'mse' });
  const recording = { inputs: [[[1]]], outputs: [[[1]]] };
  const { random, callbacks, ops } = mf;
  const calls = [
    (value) => new random.SeedGenerator(value),
    (value) => random.normal([1], { mean: value }),
    (value) => random.truncatedNormal([1], { stddev: value }),
    (value) => random.uniform([1], { minval: value }),
    (value) => random.randint([1], 0, value),
    (value) => random.dropout([1], value),
    (value) => random.gamma([1], value),
    (value) => random.beta([1], 1, value),
    (value) => random.binomial([1], value, 0.5),
    (value) => random.binomial([1], 3, value),
    (value) => random.categorical([[1]], value),
    (value) => ops.histogram([1], { bins: value }),
    (value) => ops.histogram([1], { range: [0, value] }),
    (value) => callbacks.reduceLROnPlateau({ factor: value }),
    (value) => callbacks.reduceLROnPlateau({ minLr: value }),
    (value) => model.fit([[1]], [[1]], { validationSplit: value }),
    (value) => mf.verify(model, recording, { absolute: value }),
    (value) => batched(model, { maxDelay: value }),
  ];
  const deep = [];
  for (let inner = deep, i = 0; i < 20_000; i++) inner = inner[0] = [];
  const values = [Symbol.iterator, Object.create(null), deep, { valueOf: () => ({}) }];
  for (const call of calls) {
    for (const value of values) {
      await assert.rejects(
        async () => call(value),
        (error) => error instanceof mf.MaskflowError,
        String(call),
      );
    }
  }
  model.dispose();
});
