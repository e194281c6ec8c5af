// SPDX-License-Identifier: MIT
// Callbacks receive their events in order, and each follows Keras's rules.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { compiledModel, line, linear, sgd, warnings, weightsOf } from '../support/train.js';

const folder = mkdtempSync(join(tmpdir(), 'maskflow-fit-'));
before(() => mf.ready());
after(() => rmSync(folder, { recursive: true }));

const { callbacks, Callback } = mf;
const data = line(4);

/** Trains epochs with the given losses: the label of the only row sets the loss. */
async function runLosses(losses, options, callback, model = compiledModel({ learningRate: 0 })) {
  const batches = losses.map((loss) => [[[0]], [[Math.sqrt(loss)]]]);
  const values = batches.values();
  const history = await model.fit(values, {
    epochs: losses.length,
    stepsPerEpoch: 1,
    ...options,
    callbacks: [callback],
  });
  return { history: history.history, epochs: history.epoch.length, model };
}

test("onTrainBatchBegin and onTrainBatchEnd are Keras's other names of batch events", async () => {
  const events = [];
  class Named extends Callback {
    onBatchEnd(batch) {
      events.push(`end of ${batch}`);
    }
    onTrainBatchEnd(batch, logs) {
      events.push(`${Object.keys(logs)} of ${batch}`);
      return super.onTrainBatchEnd(batch, logs);
    }
  }
  const plain = { onTrainBatchBegin: (batch) => events.push(`begin of ${batch}`) };
  const both = { onBatchBegin: () => events.push('not called'), onTrainBatchBegin() {} };
  await compiledModel().fit(data.x, data.y, {
    batchSize: 2,
    callbacks: [new Named(), plain, both],
  });
  assert.deepEqual(events.slice(0, 3), ['begin of 0', 'loss of 0', 'end of 0']);
  assert.ok(!events.includes('not called'));
});

test("events come in Keras's order", async () => {
  const events = [];
  const names = [
    ...['onTrainBegin', 'onTrainEnd', 'onEpochBegin', 'onEpochEnd', 'onBatchBegin', 'onBatchEnd'],
    ...['onTestBegin', 'onTestEnd', 'onTestBatchBegin', 'onTestBatchEnd'],
  ];
  const note = (name) => (index, logs) =>
    events.push([name, typeof index === 'number' ? index : '', logs ? Object.keys(logs) : '']);
  const callback = Object.fromEntries(names.map((name) => [name, note(name)]));
  const hooks = ['onEpochBegin', 'onEpochEnd', 'onBatchBegin', 'onBatchEnd'];
  const options = Object.fromEntries(hooks.map((name) => [name, note(`own ${name}`)]));
  await compiledModel().fit(data.x, data.y, {
    batchSize: 2,
    validationData: [data.x, data.y],
    callbacks: [callback],
    ...options,
  });
  const batch = (i) => [
    ['onBatchBegin', i, []],
    ['own onBatchBegin', i, []],
    ['onBatchEnd', i, ['loss']],
    ['own onBatchEnd', i, ['loss']],
  ];
  const tested = (i) => [
    ['onTestBatchBegin', i, []],
    ['onTestBatchEnd', i, ['loss']],
  ];
  assert.deepEqual(events, [
    ['onTrainBegin', '', ''],
    ['onEpochBegin', 0, []],
    ['own onEpochBegin', 0, []],
    ...batch(0),
    ...batch(1),
    ['onTestBegin', '', ''],
    ...tested(0),
    ...tested(1),
    ['onTestEnd', '', ''],
    ['onEpochEnd', 0, ['loss', 'val_loss']],
    ['own onEpochEnd', 0, ['loss', 'val_loss']],
    ['onTrainEnd', '', ''],
  ]);
});

test('a custom callback has model and params, may add to the logs, and may return promises', async () => {
  const calls = [];
  class Mine extends Callback {
    async onTrainBegin() {
      await new Promise((resolve) => setTimeout(resolve, 5));
      calls.push(['begin', this.model === model, this.params]);
    }
    onBatchBegin() {
      calls.push('batch');
    }
    async onEpochEnd(epoch, logs) {
      await null;
      logs.mine = epoch * 2;
    }
  }
  const model = compiledModel();
  const { history } = await model.fit(data.x, data.y, { epochs: 2, callbacks: [new Mine()] });
  const params = { epochs: 2, steps: 1, verbose: 0 };
  assert.deepEqual(calls, [['begin', true, params], 'batch', 'batch']);
  assert.deepEqual(history.mine, [0, 2]);
  assert.deepEqual(Object.keys(history), ['loss', 'mine']);
});

test('stopTraining ends the epoch at its batch, with validation and onTrainEnd', async () => {
  const events = [];
  const model = compiledModel();
  const { history } = await model.fit(data.x, data.y, {
    batchSize: 1,
    epochs: 3,
    validationData: [data.x, data.y],
    callbacks: [
      {
        onBatchEnd(batch) {
          if (batch === 1) model.stopTraining = true;
          events.push(batch);
        },
        onTrainEnd: (logs) => events.push(Object.keys(logs)),
      },
    ],
  });
  assert.deepEqual(events, [0, 1, ['loss', 'val_loss']]);
  assert.equal(history.val_loss.length, 1);
  // The next call is not affected.
  assert.equal((await model.fit(data.x, data.y, { epochs: 2 })).epoch.length, 2);
});

test('earlyStopping obeys patience, minDelta, baseline, startFromEpoch and mode', async () => {
  const epochs = async (losses, options) =>
    (await runLosses(losses, {}, callbacks.earlyStopping({ monitor: 'loss', ...options }))).epochs;
  assert.equal(await epochs([5, 4, 4, 3, 3, 3], {}), 3);
  assert.equal(await epochs([5, 4, 4, 3, 3, 3], { patience: 2 }), 6);
  assert.equal(await epochs([5, 4.9, 4.8, 4.7], { minDelta: 0.5, patience: 2 }), 3);
  assert.equal(await epochs([5, 6, 7, 8], { startFromEpoch: 2 }), 4);
  assert.equal(await epochs([5, 6, 7, 7, 7], { mode: 'max' }), 4);
  // A loss that beats the previous one but not the baseline does not reset the patience.
  assert.equal(await epochs([5, 4, 3, 2, 1], { baseline: 0.5, patience: 3 }), 5);
  assert.equal(await epochs([5, 4, 3, 3, 1], { baseline: 0.5, patience: 3 }), 4);
});

test('earlyStopping restores the weights of the best epoch, whether it stopped or not', async () => {
  for (const [losses, best] of [
    [[3, 1, 2, 2, 2], 1],
    [[3, 2, 4], 1],
    [[1, 2, 3], 0],
  ]) {
    const model = compiledModel({ learningRate: 0 });
    const stopping = callbacks.earlyStopping({
      monitor: 'loss',
      patience: 3,
      restoreBestWeights: true,
    });
    await model.fit(losses.map((loss) => [[[0]], [[Math.sqrt(loss)]]]).values(), {
      epochs: losses.length,
      stepsPerEpoch: 1,
      callbacks: [{ onBatchBegin: () => {} }, stopping],
      onEpochBegin: (epoch) => model.setWeights([[[epoch]]]),
    });
    assert.deepEqual(weightsOf(model), [[best]]);
    assert.equal(stopping.bestEpoch, best);
  }
});

test('monitors of known metrics know their direction; others need mode', async () => {
  const { x } = data;
  const labels = [[1], [1], [0], [0]];
  const run = (options, metrics) => {
    const model = compiledModel({ learningRate: 0, compile: { loss: 'mse', metrics } });
    const stopping = callbacks.earlyStopping({ patience: 1, ...options });
    return model.fit(x, labels, { epochs: 3, callbacks: [stopping] });
  };
  for (const monitor of ['accuracy', 'mae', 'precision', 'auc']) {
    const { epoch } = await run({ monitor }, ['accuracy', 'mae', 'precision', 'auc']);
    assert.equal(epoch.length, 2, monitor);
  }
  const own = (t, p) => mf.ops.mean(mf.ops.subtract(t, p), { axis: -1 });
  await assert.rejects(
    run({ monitor: 'own' }, [own]),
    (error) => error instanceof mf.ValueError && /'own'.*mode: 'min' or 'max'/.test(error.message),
  );
  assert.equal((await run({ monitor: 'own', mode: 'max' }, [own])).epoch.length, 2);
  const messages = await warnings(() => run({ monitor: 'val_loss' }, ['mae']));
  assert.match(messages.join(), /'val_loss' is missing; the logs have loss, mae/);
  assert.equal(messages.length, 1);
});

test('reduceLROnPlateau obeys patience, cooldown and minLr, and writes the rate into the history', async () => {
  const run = async (losses, options) =>
    (
      await runLosses(
        losses,
        {},
        callbacks.reduceLROnPlateau({ monitor: 'loss', factor: 0.5, patience: 1, ...options }),
        compiledModel({ learningRate: 1, layer: { trainable: false } }),
      )
    ).history.learning_rate;
  assert.deepEqual(await run([4, 4, 4, 4], {}), [1, 1, 0.5, 0.25]);
  assert.deepEqual(await run([4, 4, 4, 4, 4], { cooldown: 2 }), [1, 1, 0.5, 0.5, 0.25]);
  assert.deepEqual(await run([4, 4, 4, 4], { minLr: 0.5 }), [1, 1, 0.5, 0.5]);
  assert.deepEqual(await run([4, 3, 2, 1], {}), [1, 1, 1, 1]);
  assert.throws(() => callbacks.reduceLROnPlateau({ factor: 1 }), /factor is 1.*less than 1/);
});

test('learningRateScheduler sets the rate of each epoch', async () => {
  const model = compiledModel({ learningRate: 1 });
  const calls = [];
  const schedule = (epoch, rate) => {
    calls.push([epoch, rate]);
    return rate / 2;
  };
  const { history } = await model.fit(data.x, data.y, {
    epochs: 3,
    callbacks: [callbacks.learningRateScheduler(schedule)],
  });
  assert.deepEqual(calls, [
    [0, 1],
    [1, 0.5],
    [2, 0.25],
  ]);
  assert.deepEqual(history.learning_rate, [0.5, 0.25, 0.125]);
  assert.deepEqual(Object.keys(history), ['loss', 'learning_rate']);
  const invalid = callbacks.learningRateScheduler(() => 'much');
  await assert.rejects(
    model.fit(data.x, data.y, { callbacks: [invalid] }),
    /the result of the schedule is 'much'/,
  );
});

test('terminateOnNaN ends training after the update of the batch with NaN', async () => {
  const x = [[1], [1], [1], [1]];
  const y = [[0], [Number.NaN], [0], [0]];
  const model = compiledModel();
  let batches = 0;
  const { log } = console;
  console.log = () => {};
  const { history } = await model.fit(x, y, {
    batchSize: 1,
    epochs: 3,
    shuffle: false,
    onBatchEnd: () => batches++,
    callbacks: [callbacks.terminateOnNaN()],
  });
  console.log = log;
  assert.equal(batches, 2);
  assert.deepEqual(history.loss, [Number.NaN]);
  assert.ok(Number.isNaN(weightsOf(model)[0][0]));
});

test('modelCheckpoint saves to a function or a path, all or only the best', async () => {
  const saved = [];
  const sink = (bytes, { epoch, batch, logs }) =>
    saved.push([bytes.length > 500, epoch, batch, logs.loss]);
  const run = (losses, options, to = sink) =>
    runLosses(losses, {}, callbacks.modelCheckpoint(to, { monitor: 'loss', ...options }));
  await run([3, 4, 2], {});
  assert.deepEqual(
    saved.map(([, epoch]) => epoch),
    [0, 1, 2],
  );
  assert.ok(saved.every(([isComplete]) => isComplete));
  saved.length = 0;
  await run([3, 4, 2], { saveBestOnly: true, saveWeightsOnly: true });
  assert.deepEqual(
    saved.map(([, epoch]) => epoch),
    [0, 2],
  );
  saved.length = 0;
  await run([3, 4, 2], { saveBestOnly: true, initialValueThreshold: 2.5 });
  assert.deepEqual(
    saved.map(([, epoch]) => epoch),
    [2],
  );
  saved.length = 0;
  const model = compiledModel();
  const everyTwo = callbacks.modelCheckpoint(sink, { saveFreq: 2 });
  await model.fit(data.x, data.y, { batchSize: 1, epochs: 2, callbacks: [everyTwo] });
  assert.deepEqual(
    saved.map(([, epoch, batch]) => [epoch, batch]),
    [
      [0, 1],
      [0, 3],
      [1, 1],
      [1, 3],
    ],
  );
  const path = join(folder, '{epoch:02d}-{loss:.2f}.keras');
  await run([3, 4], {}, path);
  const loadedModel = await mf.loadModel(join(folder, '02-4.00.keras'));
  assert.deepEqual(weightsOf(loadedModel), [[0]]);
  await assert.rejects(
    run([1], {}, join(folder, '{none}.keras')),
    /\{none\}, which is not among the numbers loss/,
  );
  assert.throws(() => callbacks.modelCheckpoint('model.h5'), /ends in \.keras/);
});

test("csvLogger writes Keras's table", async () => {
  const path = join(folder, 'log.csv');
  await runLosses([4, 1], {}, callbacks.csvLogger(path));
  await runLosses([9], {}, callbacks.csvLogger(path, { append: true }));
  const lines = readFileSync(path, 'utf8').split('\r\n');
  assert.deepEqual(lines, ['epoch,loss,val_loss', '0,4,NA', '1,1,NA', '0,9,NA', '']);
  const parts = [];
  const logger = callbacks.csvLogger((text) => parts.push(text), { separator: ';' });
  await compiledModel().fit(data.x, data.y, {
    validationData: [data.x, data.y],
    callbacks: [logger],
  });
  assert.equal(parts[0], 'epoch;loss;val_loss\r\n');
  assert.equal(parts.length, 2);
});

test('lambda accepts functions in place of a class, and refuses misspelt names', async () => {
  const epochs = [];
  const lambda = callbacks.lambda({ onEpochEnd: (epoch) => epochs.push(epoch) });
  await compiledModel().fit(data.x, data.y, { epochs: 2, callbacks: [lambda] });
  assert.deepEqual(epochs, [0, 1]);
  const model = compiledModel();
  for (const invalid of [{ onEpochEnded() {} }, callbacks.lambda({ onEpochEnded() {} })]) {
    await assert.rejects(
      model.fit(data.x, data.y, { callbacks: [invalid] }),
      (error) => error instanceof mf.ConfigError && /mean 'onEpochEnd'/.test(error.message),
    );
  }
  await assert.rejects(model.fit(data.x, data.y, { callbacks: [3] }), /a callback is 3/);
  await model.fit(data.x, data.y, { callbacks: lambda });
  assert.deepEqual(epochs, [0, 1, 0]);
});

test('controls pause, resume and stop', async () => {
  const controls = callbacks.controls();
  let batches = 0;
  const training = compiledModel().fit(data.x, data.y, {
    batchSize: 1,
    epochs: 10,
    callbacks: [controls],
    onBatchEnd() {
      if (++batches === 3) controls.pause();
    },
  });
  const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  while (!controls.paused) await wait(1);
  await wait(30);
  assert.deepEqual([controls.paused, batches], [true, 3]);
  controls.resume();
  await new Promise((resolve) => setTimeout(resolve, 0));
  controls.stop();
  const { epoch } = await training;
  assert.ok(batches > 3);
  assert.ok(epoch.length <= 10);
  const stoppedTraining = compiledModel().fit(data.x, data.y, {
    batchSize: 1,
    epochs: 10,
    callbacks: [controls],
    onBatchEnd: () => controls.stop(),
  });
  assert.equal((await stoppedTraining).epoch.length, 1);
});

test('progressBar reports progress', async () => {
  const reports = [];
  const bar = callbacks.progressBar(({ value, max, epoch, batch, batches, logs }) =>
    reports.push([value, max, epoch, batch, batches, Object.keys(logs).join()]),
  );
  await compiledModel().fit(data.x, data.y, { batchSize: 2, epochs: 2, callbacks: [bar] });
  assert.deepEqual(reports, [
    [1, 4, 0, 1, 2, 'loss'],
    [2, 4, 0, 2, 2, 'loss'],
    [2, 4, 0, 2, 2, 'loss'],
    [3, 4, 1, 1, 2, 'loss'],
    [4, 4, 1, 2, 2, 'loss'],
    [4, 4, 1, 2, 2, 'loss'],
  ]);
});

test('verbose prints lines to standard output', async () => {
  const lines = [];
  const { write } = process.stdout;
  // Only this test's lines count, because the test runner also writes to stdout.
  process.stdout.write = (text, ...rest) =>
    /^(Epoch |\d\/\d)/.test(text) ? lines.push(text) : write.call(process.stdout, text, ...rest);
  try {
    await compiledModel().fit(data.x, data.y, { batchSize: 2, epochs: 2, verbose: 2 });
  } finally {
    process.stdout.write = write;
  }
  const text = lines.join('');
  assert.match(text, /^Epoch 1\/2\n2\/2 \S+ \S+\/step - loss: \d\.\d+\S*\nEpoch 2\/2\n2\/2 /);
});

test('model.optimizer can be read, and training can go on from the last epoch', async () => {
  const model = compiledModel({ learningRate: 0.5 });
  assert.equal(model.optimizer.learningRate, 0.5);
  const firstHistory = await model.fit(data.x, data.y, { epochs: 2 });
  const secondHistory = await model.fit(data.x, data.y, { epochs: 4, initialEpoch: 2 });
  assert.deepEqual(
    [firstHistory.epoch, secondHistory.epoch],
    [
      [0, 1],
      [2, 3],
    ],
  );
  assert.ok(secondHistory.history.loss[0] < firstHistory.history.loss[1]);
});

test('layers with trainable = false do not change; compile() must be called after a change', async () => {
  const model = new mf.Sequential([
    mf.Input({ shape: [1] }),
    mf.layers.dense({ units: 1, kernelInitializer: 'ones', name: 'a' }),
    mf.layers.dense({ units: 1, kernelInitializer: 'ones', name: 'b' }),
  ]);
  const [a, b] = model.layers.slice(-2);
  a.trainable = false;
  assert.deepEqual(
    model.trainableVariables.map(({ path }) => path.replace(/^.*?\//, '')),
    ['b/kernel', 'b/bias'],
  );
  assert.deepEqual(a.trainableVariables, []);
  assert.equal(model.trainableVariables[0], b.trainableVariables[0]);
  model.compile({ optimizer: sgd(), loss: 'mse' });
  const initial = weightsOf(model);
  await model.fit(data.x, data.y);
  const trained = weightsOf(model);
  assert.deepEqual(trained.slice(0, 2), initial.slice(0, 2));
  assert.notDeepEqual(trained[2], initial[2]);
  a.trainable = true;
  const messages = await warnings(() => model.fit(data.x, data.y));
  assert.match(messages.join(), /trainable.*compile/);
  assert.deepEqual(weightsOf(model).slice(0, 2), initial.slice(0, 2));
  model.compile({ optimizer: sgd(), loss: 'mse' });
  await model.fit(data.x, data.y);
  assert.notDeepEqual(weightsOf(model)[0], initial[0]);
  linear().dispose();
});
