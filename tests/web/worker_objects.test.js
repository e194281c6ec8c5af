// SPDX-License-Identifier: MIT
// Objects of optimizers, losses and metrics in `compile` of a model in a worker: they train there
// as in this thread, to the bit.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { openWorker } from '../../dist/worker.js';

const x = Array.from({ length: 12 }, (_, i) => [Math.sin(i), Math.cos(3 * i)]);
const y = x.map(([a, b]) => [a > b ? 1 : 0]);
const { losses, metrics, optimizers, schedules } = mf;

suite('compile of a model in a worker', () => {
  let worker;
  let file;
  let twoOutputs;
  before(async () => {
    await mf.ready({ seed: 1 });
    const dense = (name) => mf.layers.dense({ units: 1, activation: 'sigmoid', name });
    file = await new mf.Sequential([mf.Input({ shape: [2] }), dense('one')]).save();
    const input = mf.Input({ shape: [2] });
    const outputs = { a: dense('a').apply(input), b: dense('b').apply(input) };
    twoOutputs = await new mf.Model({ inputs: input, outputs }).save();
    worker = await openWorker({ train: true });
  });
  after(() => worker.close());

  /** Asserts that both threads have the same history. */
  async function trainsAlike(optionsOf, { of = file, targets = y } = {}) {
    const remote = await worker.loadModel(of);
    await remote.compile(optionsOf());
    const local = await mf.loadModel(of);
    local.compile(optionsOf());
    const settings = { epochs: 2, batchSize: 4, seed: 3 };
    const { history } = await remote.fit(x, targets, settings);
    assert.deepEqual(history, (await local.fit(x, targets, settings)).history);
    assert.deepEqual(await remote.evaluate(x, targets), await local.evaluate(x, targets));
    remote.dispose();
    return history;
  }

  test('accepts losses, with settings and without, metrics, optimizers and schedules', async () => {
    const history = await trainsAlike(() => ({
      optimizer: optimizers.adam(schedules.exponentialDecay(0.1, 10, 0.9), { clipnorm: 1 }),
      loss: losses.huber({ delta: 0.3, reduction: 'sum' }),
      metrics: [metrics.auc({ numThresholds: 20 }), metrics.meanAbsoluteError({ name: 'mine' })],
      weightedMetrics: [metrics.binaryAccuracy({ threshold: 0.4 }), 'mse'],
    }));
    assert.deepEqual(Object.keys(history).sort(), [
      'auc',
      'binary_accuracy',
      'loss',
      'mine',
      'mse',
    ]);
    for (const optimizer of [
      optimizers.sgd({ momentum: 0.5, nesterov: true }),
      optimizers.lossScaleOptimizer({ innerOptimizer: optimizers.adam(0.01) }),
      { class_name: 'SGD', config: { learning_rate: schedules.cosineDecay(0.1, 8) } },
    ]) {
      await trainsAlike(() => ({
        optimizer: optimizer.class_name ? optimizer : optimizers.deserialize(optimizer.serialize()),
        loss: losses.binaryCrossentropy,
      }));
    }
  });

  test('accepts a loss without settings as a metric', async () => {
    const history = await trainsAlike(() => ({
      optimizer: 'sgd',
      loss: losses.meanSquaredError,
      metrics: [losses.meanAbsoluteError],
    }));
    assert.deepEqual(Object.keys(history).sort(), ['loss', 'mean_absolute_error']);
  });

  test('accepts them for each output', async () => {
    const targets = { a: y, b: y };
    const names = (how) => (how === 'list' ? (a, b) => [a, b] : (a, b) => ({ a, b }));
    for (const how of ['list', 'dictionary']) {
      const each = names(how);
      await trainsAlike(
        () => ({
          optimizer: optimizers.rmsprop(0.01),
          loss: each(losses.huber({ delta: 2 }), 'mse'),
          metrics: each([metrics.auc()], ['mae']),
        }),
        { of: twoOutputs, targets },
      );
    }
  });

  test('refuses what only this thread can run, with what to write', async () => {
    const model = await worker.loadModel(file);
    class Own extends mf.Metric {
      result() {
        return 1;
      }
    }
    const own =
      /which cannot be sent to a worker; .*open a worker of your own that calls serve\(\)/;
    for (const options of [
      { loss: (t, p) => mf.ops.subtract(t, p) },
      { loss: 'mse', metrics: [(t, p) => mf.ops.subtract(t, p)] },
      { loss: 'mse', metrics: [new Own('mse')] },
      { loss: 'mse', metrics: [new mf.Metric((t, p) => mf.ops.subtract(t, p))] },
      { loss: 'mse', optimizer: optimizers.adam((step) => 1 / (step + 1)) },
    ]) {
      await assert.rejects(model.compile(options), { name: 'ValueError', message: own });
    }
    // The remedy for a learning rate.
    const optimizer = optimizers.adam(schedules.exponentialDecay(0.1, 1000, 0.96));
    await model.compile({ loss: 'mse', optimizer });
    // The remedy for objects in evaluate.
    const loss = losses.huber({ delta: 2 });
    await assert.rejects(model.evaluate(x, y, { loss }), {
      name: 'ValueError',
      message: /open the worker with openWorker\(\{ train: true \}\), compile the model with it/,
    });
    await model.compile({ loss });
    const { loss: far } = await model.evaluate(x, y);
    const local = await mf.loadModel(file);
    assert.equal(far, (await local.evaluate(x, y, { loss })).loss);
    model.dispose();
  });
});
