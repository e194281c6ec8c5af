// SPDX-License-Identifier: MIT
// The compile settings in a model file are Keras's configs.
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
const compileConfigOf = async (options, model) => {
  const compiled = model ?? dense();
  compiled.compile(options);
  return configIn(await compiled.save()).compile_config;
};

const recordings = JSON.parse(
  readFileSync(new URL('../fixtures/training/measure_configs.json', import.meta.url), 'utf8'),
);
const requiredSettings = {
  IoU: { numClasses: 3, targetClassIds: [0] },
  MeanIoU: { numClasses: 3 },
  OneHotIoU: { numClasses: 3, targetClassIds: [0] },
  OneHotMeanIoU: { numClasses: 3 },
  PrecisionAtRecall: { recall: 0.5 },
  RecallAtPrecision: { precision: 0.5 },
  SensitivityAtSpecificity: { specificity: 0.5 },
  SpecificityAtSensitivity: { sensitivity: 0.5 },
};

describe("configs equal Keras's", () => {
  const keys = Object.keys(losses).map((key) => [key.toLowerCase(), losses[key]]);
  const byName = new Map(keys);
  for (const [name, expected] of Object.entries(recordings.losses)) {
    test(`loss ${name}`, async () => {
      const { loss } = await compileConfigOf({ loss: { class_name: name } });
      assert.deepEqual(loss, expected);
      const config = await compileConfigOf({ loss: byName.get(name.toLowerCase()) });
      assert.deepEqual(config.loss, expected);
    });
  }
  for (const [name, expected] of Object.entries(recordings.metrics)) {
    if (name === 'Mean' || name === 'Sum') continue;
    test(`metric ${name}`, async () => {
      const metric = new mf.Metric(name, { name: expected.config.name, ...requiredSettings[name] });
      const { metrics: configs } = await compileConfigOf({ loss: 'mse', metrics: [metric] });
      assert.deepEqual(configs, [expected]);
    });
  }
});

test("Keras's names stay, and ours become Keras's", async () => {
  const names = ['mse', 'MSE', 'mean_squared_error', 'MeanSquaredError', 'accuracy', 'acc', 'AUC'];
  const metricNames = [...names, 'meanAbsoluteError', 'cce', 'rmse'];
  const { metrics: configs, loss } = await compileConfigOf({
    loss: 'logCosh',
    metrics: metricNames,
  });
  assert.deepEqual(configs, [
    ...names,
    'mean_absolute_error',
    'categorical_crossentropy',
    'root_mean_squared_error',
  ]);
  assert.equal(loss, 'log_cosh');
});

test('outputs in lists and dictionaries, loss weights and settings that are not the defaults are written', async () => {
  const model = () => {
    const input = mf.Input({ shape: [4] });
    const outputs = ['a', 'b'].map((name) => layers.dense({ units: 2, name }).apply(input));
    return new mf.Model({ inputs: input, outputs });
  };
  const config = await compileConfigOf(
    {
      optimizer: optimizers.sgd({ momentum: 0.5 }),
      loss: { a: 'mse', b: { class_name: 'Huber', config: { delta: 2 } } },
      lossWeights: { a: 1, b: 0.5 },
      metrics: { a: ['mae', null], b: [metrics.topKCategoricalAccuracy({ k: 2 })] },
      weightedMetrics: [['mae'], null],
    },
    model(),
  );
  assert.deepEqual(config.loss.b.config, {
    name: 'huber_loss',
    reduction: 'sum_over_batch_size',
    delta: 2,
  });
  assert.deepEqual(config.loss_weights, { a: 1, b: 0.5 });
  assert.equal(config.metrics.b[0].config.k, 2);
  assert.deepEqual(config.weighted_metrics, [['mae'], null]);
  const keys = 'optimizer loss loss_weights metrics weighted_metrics run_eagerly';
  assert.equal(Object.keys(config).join(' '), `${keys} steps_per_execution jit_compile`);
  const keysOfOptimizer = Object.keys(config.optimizer).sort();
  assert.deepEqual(keysOfOptimizer, ['class_name', 'config', 'module', 'registered_name']);
});

test('a loss that Keras does not have as a metric is written as a function', async () => {
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

test('the dtype of a metric is written', async () => {
  const config = await compileConfigOf({
    loss: 'mse',
    metrics: [metrics.huber({ dtype: 'float16' })],
  });
  assert.equal(config.metrics[0].config.dtype, 'float16');
});

test('evaluating and testing a model that is compiled without a loss is an error', async () => {
  const model = dense();
  model.compile({ optimizer: 'sgd' });
  assert.throws(() => model.evaluate(x, [[1, 1]]), mf.StateError);
  await assert.rejects(model.testOnBatch(x, [[1, 1]]), mf.StateError);
});

test('OrthogonalRegularizer refuses weights of another rank than 2, as Keras does', async () => {
  const kernelRegularizer = { class_name: 'OrthogonalRegularizer', config: { factor: 0.1 } };
  const conv = layers.conv1D({ filters: 2, kernelSize: 2, kernelRegularizer });
  const model = new mf.Sequential([mf.Input({ shape: [3, 2] }), conv]);
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  const data = [mf.ops.ones([1, 3, 2]), mf.ops.ones([1, 2, 2])];
  await assert.rejects(model.trainOnBatch(...data), {
    name: 'ShapeError',
    message: /rank 2, but the shape is \[2,2,2\]; choose L1 or L2/,
  });
});
