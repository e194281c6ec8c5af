// SPDX-License-Identifier: MIT
// Every loss and metric on random shapes, settings, weights and masks, and evaluate with random
// settings for its outputs, as recorded by tests/fuzz/keras_measures.py and keras_evaluate.py.
// Results equal Keras's, and what Keras refuses is an error.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { evaluationDifference } from '../support/evaluation.js';
import { differenceOf, run } from '../support/measures.js';
import { leavesNothing } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { Input, layers, losses, Metric, metrics, Model, ops, Sequential, tensor } = mf;
const read = (name) =>
  readFileSync(new URL(`../fixtures/losses/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const near = (actual, expected) =>
  assert.ok(
    Math.abs(actual - expected) <= 1e-6 * Math.max(1, Math.abs(expected)),
    `${actual}, not ${expected}`,
  );

describe('random recorded cases', () => {
  const cases = read('random.jsonl');
  assert.ok(cases.length >= 500);
  for (const name of new Set(cases.map((recording) => recording.class))) {
    test(name, () =>
      leavesNothing(() => {
        for (const recording of cases.filter((testCase) => testCase.class === name)) {
          assert.equal(differenceOf(run(recording), recording.expect), null, recording.id);
        }
      }),
    );
  }
  test('evaluate', () => {
    for (const recording of read('random_evaluate.jsonl')) {
      assert.equal(evaluationDifference(recording), null, recording.id);
    }
  });
});

test('every loss and metric of Keras exists', () => {
  for (const name of [
    'accuracy auc binaryAccuracy binaryCrossentropy binaryIoU categoricalAccuracy categoricalCrossentropy categoricalHinge',
    'concordanceCorrelation cosineSimilarity f1Score fBetaScore falseNegatives falsePositives hinge iou klDivergence',
    'logCoshError mean meanAbsoluteError meanAbsolutePercentageError meanIoU meanSquaredError meanSquaredLogarithmicError',
    'oneHotIoU oneHotMeanIoU pearsonCorrelation poisson precision precisionAtRecall r2Score recall recallAtPrecision',
    'rootMeanSquaredError sensitivityAtSpecificity sparseCategoricalAccuracy sparseCategoricalCrossentropy',
    'sparseTopKCategoricalAccuracy specificityAtSensitivity squaredHinge sum topKCategoricalAccuracy trueNegatives truePositives',
  ].flatMap((line) => line.split(' '))) {
    assert.equal(typeof metrics[name], 'function', name);
  }
});

test('wrong shapes are refused', () => {
  const predictions = [
    [0.2, 0.3, 0.5],
    [0.1, 0.8, 0.1],
    [0.3, 0.3, 0.4],
  ];
  for (const name of ['categoricalCrossentropy', 'binaryCrossentropy', 'binaryFocalCrossentropy']) {
    assert.throws(() => losses[name]([0, 1, 2], predictions), mf.ShapeError);
  }
  assert.throws(
    () => metrics.precision({ classId: 0 }).updateState([1, 0], [0.5, 0.7]),
    /class_id/,
  );
  assert.throws(() => metrics.auc({ numThresholds: 1 }), /num_thresholds is 1/);
  assert.throws(() => metrics.recall({ thresholds: [0.5, 1.5] }), /1.5.*from 0 to 1/);
  assert.throws(
    () => metrics.f1Score({ average: 'mean' }),
    /'average' is 'mean'; it must be one of 'micro', 'macro', 'weighted'/,
  );
  assert.throws(() => metrics.recallAtPrecision(), /'precision' must be given/);
});

test('NaN scores count as below every threshold', () => {
  const auc = metrics.auc();
  auc.updateState([1, 0, 1], [Number.NaN, 0.2, 0.9]);
  assert.ok(Number.isFinite(auc.result()));
});

test('mean and sum accept values, and functions can be metrics', () => {
  const mean = metrics.mean();
  mean.updateState([1, 3, 5, 7]);
  assert.equal(mean.result(), 4);
  mean.updateState([10, 20], { sampleWeight: [0, 2] });
  near(mean.result(), 56 / 6);
  mean.resetState();
  assert.equal(mean.result(), 0);
  const sum = metrics.sum({ name: 'all' });
  sum.updateState([1, 3], { sampleWeight: [1, 2] });
  assert.deepEqual([sum.name, sum.result()], ['all', 7]);

  const worst = (yTrue, yPred) => ops.max(ops.absolute(ops.subtract(yTrue, yPred)), { axis: -1 });
  const metric = new Metric(worst);
  metric.updateState([[0, 0]], [[1, -3]]);
  assert.deepEqual([metric.name, metric.result()], ['worst', 3]);
  const model = new Sequential([layers.activation({ activation: 'linear' })]);
  const x = tensor([
    [1, 2],
    [-4, 3],
  ]);
  const actual = model.evaluate(x, ops.zeros([2, 2]), {
    weightedMetrics: [worst],
    sampleWeight: [3, 1],
  });
  assert.deepEqual(actual, { worst: 10 / 4 });
});

// Inner calls are not part of the outer call, and the outer call continues after them.
test('a layer that evaluates or predicts inside its call does not disturb the outer evaluation', () => {
  const penalty = { class_name: 'L1', config: { l1: 1 } };
  const inner = new Sequential([layers.activityRegularization({ l1: 1 })]);
  class Nosy extends mf.Layer {
    call(x) {
      inner.evaluate(x, x, { loss: 'mse' });
      inner.predict(x);
      return ops.identity ? ops.identity(x) : ops.multiply(x, 1);
    }
  }
  const input = Input({ shape: [2] });
  const linear = layers.activation({ activation: 'linear' }).apply(input);
  const regularized = layers.activityRegularization({ l1: 1 }).apply(linear);
  const nosy = new Nosy().apply(regularized);
  const outputs = layers
    .dense({ units: 2, activityRegularizer: penalty, kernelInitializer: 'ones' })
    .apply(nosy);
  const model = new Model({ inputs: input, outputs });
  const x = tensor([
    [1, 2],
    [3, 4],
  ]);
  const y = model.predict(x);
  // The sums of the inputs and of the outputs of dense: (1, 2) becomes (3, 3), (3, 4) becomes (7,
  // 7).
  near(model.evaluate(x, y, { loss: 'mse' }).loss, (10 + 20) / 2);
});

test('evaluate without a loss and metrics is an error, compiled or not', () => {
  const model = new Sequential([Input({ shape: [2] }), layers.dense({ units: 1 })]);
  for (const options of [undefined, {}, { loss: null }, { metrics: [] }, { batchSize: 1 }]) {
    assert.throws(() => model.evaluate([[1, 2]], [[1]], options), {
      name: 'StateError',
      message: /neither a loss nor metrics.*compile.*\{ loss \}/,
    });
  }
  assert.deepEqual(Object.keys(model.evaluate([[1, 2]], [[1]], { metrics: ['mae'] })), ['mae']);
});

test('the dtype of a metric is one of floats, and kept', () => {
  for (const dtype of ['float32', 'float16', 'float64', 'bfloat16', 'mixed_bfloat16', null]) {
    const metric = metrics.meanSquaredError({ dtype });
    metric.updateState([[1], [3]], [[0], [0]]);
    assert.equal(metric.result(), 5);
  }
  assert.throws(() => metrics.meanSquaredError({ dtype: 'int32' }), mf.ConfigError);
  assert.throws(() => metrics.meanSquaredError({ dtype: 'float8' }), mf.ConfigError);
});
