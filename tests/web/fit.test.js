// SPDX-License-Identifier: MIT
// fit, trainOnBatch and evaluate equal Keras's runs in tests/fixtures/training/fit.
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

test('every run of the index has a file', () => {
  const { runs: indexed } = read('index');
  assert.deepEqual(runs.toSorted(), indexed.map(({ name }) => name).toSorted());
});

describe('training equals Keras', () => {
  for (const name of runs) {
    test(name, async () => {
      assert.deepEqual(await trainingDifferences(read(name)), []);
    });
  }
});

// Uses the weights that Keras ended with, so that results do not depend on training.
describe('evaluate and predict after training equal Keras', () => {
  for (const name of runs) {
    test(name, () => {
      const run = read(name);
      const model = modelOf({ ...run, weights: run.expect.weights });
      const { optimizer: _, ...options } = compileOptions(run);
      model.compile({ ...options, optimizer: 'sgd' });
      const differences = inferenceDifferences(run, model, dataOf(run));
      assert.deepEqual(differences.filter(Boolean), []);
      model.dispose();
    });
  }
});

describe('shapes of sample weights', () => {
  for (const recording of read('sample_weight_shapes').cases) {
    test(recording.name, () => {
      const model = modelOf(recording);
      const [x, y, sampleWeight] = [recording.x, recording.y, recording.sample_weight].map(tensors);
      const choices = { loss: {}, with_weighted_mae: { weightedMetrics: ['mae'] } };
      for (const [key, options] of Object.entries(choices)) {
        const expected = recording.expect[key];
        const evaluate = () => model.evaluate(x, y, { loss: 'mse', ...options, sampleWeight });
        if (expected.error) assert.throws(evaluate, mf.MaskflowError, key);
        else assert.equal(logDifference(evaluate(), expected, null, key), null);
      }
      model.dispose();
    });
  }
});
