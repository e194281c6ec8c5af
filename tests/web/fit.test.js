// SPDX-License-Identifier: MIT
// fit, trainOnBatch and evaluate against runs recorded from Keras: every file of tests/fixtures/training/fit.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/train.js';
import {
  compileOptions,
  dataOf,
  inferenceDifferences,
  logDifference,
  modelOf,
  read,
  runs,
  tensors,
  trainingDifferences,
} from '../support/fit_runs.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

test('all runs of the index are there', () => {
  const { runs: listed } = read('index');
  assert.deepEqual(runs.toSorted(), listed.map(({ name }) => name).toSorted());
});

describe('training as recorded', () => {
  for (const name of runs) {
    test(name, async () => {
      assert.deepEqual(await trainingDifferences(read(name)), []);
    });
  }
});

// With the weights that Keras ended with: what does not hang on training.
describe('evaluate and predict after training, as recorded', () => {
  for (const name of runs) {
    test(name, () => {
      const run = read(name);
      const model = modelOf({ ...run, weights: run.expect.weights });
      const { optimizer: _, ...measured } = compileOptions(run);
      model.compile({ ...measured, optimizer: 'sgd' });
      const found = inferenceDifferences(run, model, dataOf(run));
      assert.deepEqual(found.filter(Boolean), []);
      model.dispose();
    });
  }
});

describe('shapes of sample weights', () => {
  for (const recorded of read('sample_weight_shapes').cases) {
    test(recorded.name, () => {
      const model = modelOf(recorded);
      const [x, y, sampleWeight] = [recorded.x, recorded.y, recorded.sample_weight].map(tensors);
      const choices = { loss: {}, with_weighted_mae: { weightedMetrics: ['mae'] } };
      for (const [key, options] of Object.entries(choices)) {
        const wanted = recorded.expect[key];
        const evaluate = () => model.evaluate(x, y, { loss: 'mse', ...options, sampleWeight });
        if (wanted.error) assert.throws(evaluate, mf.MaskflowError, key);
        else assert.equal(logDifference(evaluate(), wanted, null, key), null);
      }
      model.dispose();
    });
  }
});
