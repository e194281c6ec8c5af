// SPDX-License-Identifier: MIT
// What a model was compiled with, as its file says it: Keras's configurations.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { unzipSync } from 'fflate';
import * as mf from '../../dist/train.js';

before(() => mf.ready());

const { layers, optimizers, losses, metrics } = mf;
const x = [[1, 2, 3, 0]];
const dense = () => new mf.Sequential([mf.Input({ shape: [4] }), layers.dense({ units: 2 })]);
const configIn = (bytes) => JSON.parse(new TextDecoder().decode(unzipSync(bytes)['config.json']));
const compiledIn = async (options, model) => {
  const made = model ?? dense();
  made.compile(options);
  return configIn(await made.save()).compile_config;
};

const recorded = JSON.parse(
  readFileSync(new URL('../fixtures/training/measure_configs.json', import.meta.url), 'utf8'),
);
const required = {
  IoU: { numClasses: 3, targetClassIds: [0] },
  MeanIoU: { numClasses: 3 },
  OneHotIoU: { numClasses: 3, targetClassIds: [0] },
  OneHotMeanIoU: { numClasses: 3 },
  PrecisionAtRecall: { recall: 0.5 },
  RecallAtPrecision: { precision: 0.5 },
  SensitivityAtSpecificity: { specificity: 0.5 },
  SpecificityAtSensitivity: { sensitivity: 0.5 },
};

describe("configurations are Keras's", () => {
  const keys = Object.keys(losses).map((key) => [key.toLowerCase(), losses[key]]);
  const byName = new Map(keys);
  for (const [name, wanted] of Object.entries(recorded.losses)) {
    test(`loss ${name}`, async () => {
      const { loss } = await compiledIn({ loss: { class_name: name } });
      assert.deepEqual(loss, wanted);
      const made = await compiledIn({ loss: byName.get(name.toLowerCase()) });
      assert.deepEqual(made.loss, wanted);
    });
  }
  for (const [name, wanted] of Object.entries(recorded.metrics)) {
    if (name === 'Mean' || name === 'Sum') continue;
    test(`metric ${name}`, async () => {
      const metric = new mf.Metric(name, { name: wanted.config.name, ...required[name] });
      const { metrics: got } = await compiledIn({ loss: 'mse', metrics: [metric] });
      assert.deepEqual(got, [wanted]);
    });
  }
});

test('names stay names, and ours become those of Keras', async () => {
  const names = ['mse', 'MSE', 'mean_squared_error', 'MeanSquaredError', 'accuracy', 'acc', 'AUC'];
  const given = [...names, 'meanAbsoluteError', 'cce', 'rmse'];
  const { metrics: got, loss } = await compiledIn({ loss: 'logCosh', metrics: given });
  assert.deepEqual(got, [
    ...names,
    'mean_absolute_error',
    'categorical_crossentropy',
    'root_mean_squared_error',
  ]);
  assert.equal(loss, 'log_cosh');
});

test('outputs in lists and dictionaries, factors, settings that are not the defaults', async () => {
  const model = () => {
    const input = mf.Input({ shape: [4] });
    const outputs = ['a', 'b'].map((name) => layers.dense({ units: 2, name }).apply(input));
    return new mf.Model({ inputs: input, outputs });
  };
  const got = await compiledIn(
    {
      optimizer: optimizers.sgd({ momentum: 0.5 }),
      loss: { a: 'mse', b: { class_name: 'Huber', config: { delta: 2 } } },
      lossWeights: { a: 1, b: 0.5 },
      metrics: { a: ['mae', null], b: [metrics.topKCategoricalAccuracy({ k: 2 })] },
      weightedMetrics: [['mae'], null],
    },
    model(),
  );
  assert.deepEqual(got.loss.b.config, {
    name: 'huber_loss',
    reduction: 'sum_over_batch_size',
    delta: 2,
  });
  assert.deepEqual(got.loss_weights, { a: 1, b: 0.5 });
  assert.equal(got.metrics.b[0].config.k, 2);
  assert.deepEqual(got.weighted_metrics, [['mae'], null]);
  const keys = 'optimizer loss loss_weights metrics weighted_metrics run_eagerly';
  assert.equal(Object.keys(got).join(' '), `${keys} steps_per_execution jit_compile`);
  const keysOfOptimizer = Object.keys(got.optimizer).sort();
  assert.deepEqual(keysOfOptimizer, ['class_name', 'config', 'module', 'registered_name']);
});

test('a loss that is a metric in no Keras goes as a function', async () => {
  const model = dense();
  model.compile({ loss: 'mse', metrics: [metrics.huber({ delta: 2 })] });
  const bytes = await model.save();
  const [metric] = configIn(bytes).compile_config.metrics;
  assert.equal(metric.class_name, 'MeanMetricWrapper');
  const loaded = await mf.loadModel(bytes);
  const y = [[5, 0]];
  assert.deepEqual(
    loaded.evaluate(mf.tensor(x), mf.tensor(y)),
    model.evaluate(mf.tensor(x), mf.tensor(y)),
  );
});
