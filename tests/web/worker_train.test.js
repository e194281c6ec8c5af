// SPDX-License-Identifier: MIT
// Training in a worker has the results of fit() in this thread to the bit, its events in order, and
// its errors by class.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import * as mf from '../../dist/train.js';
import { openPool, openWorker } from '../../dist/worker.js';
import { weightsOf } from '../support/train.js';

const x = Array.from({ length: 24 }, (_, i) =>
  Array.from({ length: 5 }, (_, t) => (t < 2 + (i % 4) ? 1 + ((i * 7 + t * 3) % 6) : 0)),
);
const y = x.map((row) => [row[0] > 3 ? 1 : 0]);
const compileOptions = {
  optimizer: { class_name: 'Adam', config: { learning_rate: 0.05 } },
  loss: 'binary_crossentropy',
  metrics: ['accuracy'],
};

suite('a worker that trains', () => {
  let worker;
  let file;
  before(async () => {
    await mf.ready({ seed: 1 });
    const model = new mf.Sequential([
      mf.Input({ shape: [null], dtype: 'int32' }),
      mf.layers.embedding({ inputDim: 7, outputDim: 4, maskZero: true }),
      mf.layers.gru({ units: 4 }),
      mf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ]);
    file = await model.save();
    worker = await openWorker({ train: true });
  });
  after(() => worker.close());

  async function compileRemote(of = worker) {
    const model = await of.loadModel(file);
    await model.compile(compileOptions);
    return model;
  }
  async function fitLocally(options, rows = x, targets = y) {
    const model = await mf.loadModel(file);
    model.compile(compileOptions);
    const { history, epoch } = await model.fit(rows, targets, options);
    return { model, history, epoch };
  }
  const far = async (model) => (await model.getWeights()).map((weight) => [...weight.data()]);

  test('returns the history and the weights of fit() in this thread', async () => {
    assert.equal(worker.runtimeInfo.layers, 'train');
    const settings = {
      epochs: 3,
      batchSize: 5,
      seed: 4,
      validationSplit: 0.25,
      classWeight: { 1: 2 },
    };
    const remote = await compileRemote();
    const { history, epoch, params } = await remote.fit(x, y, settings);
    const local = await fitLocally(settings);
    assert.deepEqual(history, local.history);
    assert.deepEqual([epoch, params.epochs], [[0, 1, 2], 3]);
    assert.deepEqual(await far(remote), weightsOf(local.model));
    const { loss } = await remote.evaluate(x, y);
    assert.equal(loss, (await local.model.evaluate(x, y)).loss);
    // The file contains the optimizer, and training can continue from it.
    const copy = await mf.loadModel(await remote.save());
    assert.equal(copy.optimizer.iterations, local.model.optimizer.iterations);
    remote.dispose();
  });

  test('accepts sample weights, validation data, and callbacks that run in the worker', async () => {
    const sampleWeight = y.map(([label]) => 1 + label);
    const validationData = [x.slice(0, 6), y.slice(0, 6), sampleWeight.slice(0, 6)];
    const settings = { epochs: 9, seed: 1, sampleWeight, validationData };
    const stopping = { monitor: 'loss', mode: 'max', patience: 1, restoreBestWeights: true };
    const remote = await compileRemote();
    const { history } = await remote.fit(x, y, {
      ...settings,
      callbacks: { earlyStopping: stopping },
    });
    const callbacks = [mf.callbacks.earlyStopping(stopping)];
    const local = await fitLocally({ ...settings, callbacks });
    assert.deepEqual(history, local.history);
    assert.ok(history.loss.length < 9, 'stopped early');
    assert.deepEqual(await far(remote), weightsOf(local.model));
    remote.dispose();
  });

  test('accepts verbose: 0 as fit() does, and says how to print', async () => {
    const remote = await compileRemote();
    const { history } = await remote.fit(x, y, { epochs: 1, verbose: 0 });
    assert.equal(history.loss.length, 1);
    await assert.rejects(remote.fit(x, y, { verbose: 1 }), {
      name: 'ValueError',
      message:
        'verbose is 1 but a worker prints nothing; use onEpochEnd: (epoch, logs) => console.log(epoch, logs)',
    });
    const printed = [];
    await remote.fit(x, y, { onEpochEnd: (epoch, logs) => printed.push([epoch, logs.loss > 0]) });
    assert.deepEqual(printed, [[0, true]]);
  });

  test('calls hooks of epochs and batches in order, before it ends', async () => {
    const calls = [];
    const hook = (name) => (at, logs) => calls.push([name, at, logs && Object.keys(logs).join()]);
    const names = ['onEpochBegin', 'onBatchBegin', 'onBatchEnd', 'onEpochEnd'];
    const hooks = Object.fromEntries(names.map((name) => [name, hook(name)]));
    const remote = await compileRemote();
    const { history } = await remote.fit(x, y, { batchSize: 12, epochs: 2, seed: 1, ...hooks });
    const logs = 'accuracy,loss';
    const epoch = (i) => [
      ['onEpochBegin', i, ''],
      ['onBatchBegin', 0, ''],
      ['onBatchEnd', 0, logs],
      ['onBatchBegin', 1, ''],
      ['onBatchEnd', 1, logs],
      ['onEpochEnd', i, logs],
    ];
    assert.deepEqual(calls, [...epoch(0), ...epoch(1)]);
    assert.equal(history.loss.length, 2);
    remote.dispose();
  });

  test('ends with the reason of its signal, and the worker runs the next call', async () => {
    const remote = await compileRemote();
    const control = new AbortController();
    const reason = new Error('enough');
    let epochs = 0;
    const onEpochEnd = () => {
      epochs++;
      control.abort(reason);
    };
    const endless = { epochs: 1e6, signal: control.signal };
    await assert.rejects(remote.fit(x, y, { ...endless, onEpochEnd }), (error) => error === reason);
    const weightsAfter = await far(remote);
    assert.equal(epochs, 1, 'no hook is called after the abort');
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(await far(remote), weightsAfter, 'training has stopped');
    await assert.rejects(remote.fit(x, y, endless), (error) => error === reason);
    assert.equal((await remote.fit(x, y)).history.loss.length, 1);
    remote.dispose();
  });

  test('ends with the error of a hook that throws or rejects', async () => {
    const remote = await compileRemote();
    const hookError = new RangeError('mine');
    const throws = () => {
      throw hookError;
    };
    for (const onBatchEnd of [throws, async () => throws()]) {
      const training = remote.fit(x, y, { epochs: 1e6, onBatchEnd });
      await assert.rejects(training, (error) => error === hookError);
    }
    assert.equal((await remote.predict(x)).shape[0], 24);
    remote.dispose();
  });

  const rowsBy = (size) => [
    [x.slice(0, size), y.slice(0, size)],
    [x.slice(size), y.slice(size), y.slice(size).map(([label]) => 1 + label)],
  ];

  test('requests the batches of an iterable one by one', async () => {
    const requested = [];
    async function* asyncBatches() {
      for (const [i, batch] of rowsBy(7).entries()) {
        requested.push(i);
        await new Promise((resolve) => setTimeout(resolve, 2));
        yield batch;
      }
    }
    const asTfjs = () =>
      rowsBy(7).map(([xs, ys, weights]) => (weights ? [xs, ys, weights] : { xs, ys }));
    for (const batches of [rowsBy(7).values(), () => rowsBy(7), asyncBatches, asTfjs]) {
      const runsOnce = !(batches instanceof Function);
      const options = { epochs: runsOnce ? 1 : 3, validationData: () => rowsBy(3) };
      const remote = await compileRemote();
      const { history } = await remote.fit(batches, options);
      const local = await fitLocally(options, () => rowsBy(7), null);
      assert.deepEqual(history, local.history);
      assert.deepEqual(await far(remote), weightsOf(local.model));
      remote.dispose();
    }
    assert.deepEqual(requested, [0, 1, 0, 1, 0, 1]);
    const remote = await compileRemote();
    const stepwise = { epochs: 2, stepsPerEpoch: 1 };
    const { history } = await remote.fit(rowsBy(7).values(), null, stepwise);
    assert.deepEqual(history, (await fitLocally(stepwise, rowsBy(7).values(), null)).history);
    remote.dispose();
  });

  test('reads streams of batches, in Safari too, and cancels one that it does not read to the end', async () => {
    const streamOf = (log) => {
      let next = 0;
      const stream = new ReadableStream({
        pull(controller) {
          controller.enqueue([x.slice(next, next + 6), y.slice(next, next + 6)]);
          next += 6;
          if (next === x.length) controller.close();
        },
        cancel: () => log.push('cancelled'),
      });
      // Safari's streams are not iterable.
      Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined });
      return stream;
    };
    const remote = await compileRemote();
    const log = [];
    const { history } = await remote.fit(() => streamOf(log), { epochs: 2 });
    const local = await fitLocally({ epochs: 2 }, () => streamOf(log), null);
    assert.deepEqual(history, local.history);
    assert.deepEqual(log, []);
    const bad = new ReadableStream({
      start: (controller) => controller.enqueue('no batch'),
      cancel: () => log.push('cancelled'),
    });
    Object.defineProperty(bad, Symbol.asyncIterator, { value: undefined });
    await assert.rejects(remote.fit(bad), /a batch is 'no batch'/);
    assert.deepEqual(log, ['cancelled']);
  });

  test('batches that fail end fit() with their error, and iterators are closed', async () => {
    const events = [];
    function* failing() {
      try {
        yield [x, y];
        throw new RangeError('no more');
      } finally {
        events.push('closed');
      }
    }
    function* endless() {
      try {
        for (;;) yield [x, y];
      } finally {
        events.push('let go');
      }
    }
    const remote = await compileRemote();
    const memory = await worker.memory();
    await assert.rejects(remote.fit(failing), { name: 'RangeError', message: 'no more' });
    await assert.rejects(
      remote.fit(() => Promise.resolve([])),
      /iterable/,
    );
    const control = new AbortController();
    const onBatchEnd = (batch) => batch === 2 && control.abort(new Error('enough'));
    const { signal } = control;
    await assert.rejects(remote.fit(endless, { onBatchEnd, signal }), { message: 'enough' });
    await assert.rejects(remote.fit(endless, { signal }), { message: 'enough' });
    const late = new AbortController();
    setTimeout(() => late.abort(new Error('too late')), 20);
    async function* waiting() {
      await new Promise(() => {});
      yield [x, y];
    }
    await assert.rejects(remote.fit(waiting, { signal: late.signal }), { message: 'too late' });
    const invalidIterable = { [Symbol.iterator]: () => ({}) };
    await assert.rejects(remote.fit(invalidIterable), { name: 'ValueError', message: /next\(\)/ });
    await remote.fit(endless, { stepsPerEpoch: 2 });
    assert.deepEqual(events, ['closed', 'let go', 'let go']);
    assert.equal((await remote.predict(x)).shape[0], x.length, 'the worker still works');
    const { tensors } = await worker.memory();
    assert.ok(tensors <= memory.tensors + remote.weights.length * 4, `${tensors} tensors`);
    remote.dispose();
  });

  test('controls pause, resume and stop', async () => {
    const remote = await compileRemote();
    const controls = remote.controls();
    const batches = [];
    controls.pause();
    const options = {
      epochs: 1000,
      batchSize: 8,
      callbacks: { controls },
      onBatchEnd: (batch) => batches.push(batch),
    };
    const running = remote.fit(x, y, options);
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.deepEqual([batches.length, controls.paused], [0, true]);
    await assert.rejects(remote.fit(x, y, options), { name: 'StateError', message: /controls/ });
    controls.resume();
    while (batches.length < 6) await new Promise((resolve) => setTimeout(resolve, 1));
    controls.pause();
    // Training that did not pause would end with all its epochs.
    for (let before = -1; before !== batches.length; ) {
      before = batches.length;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.equal(controls.paused, true);
    controls.stop();
    const { history } = await running;
    assert.ok(history.loss.length < 1000 && history.loss.length > 0);
    assert.equal(controls.paused, false);
    const copy = await remote.fit(x, y, { ...options, epochs: 1 });
    assert.equal(copy.history.loss.length, 1, 'they also control the next fit');
    remote.dispose();
  });

  test('trainOnBatch, testOnBatch and setWeights behave as in this thread', async () => {
    const remote = await compileRemote();
    const local = await mf.loadModel(file);
    local.compile(compileOptions);
    const memory = await worker.memory();
    for (const options of [undefined, { sampleWeight: y.flat() }, { classWeight: { 0: 2 } }]) {
      const logs = await remote.trainOnBatch(x, y, options);
      assert.deepEqual(logs, await local.trainOnBatch(x, y, options));
      assert.deepEqual(await remote.testOnBatch(x, y), await local.testOnBatch(x, y));
    }
    assert.deepEqual(await far(remote), weightsOf(local));
    const start = await mf.loadModel(file);
    const values = start.getWeights();
    for (const newWeights of [
      values,
      values.map((weight) => weight.data()),
      values.map((weight) => weight.array()),
    ]) {
      await remote.trainOnBatch(x, y);
      await remote.setWeights(newWeights);
      assert.deepEqual(await far(remote), weightsOf(start));
    }
    await assert.rejects(remote.setWeights(values.slice(1)), { name: 'ValueError' });
    await assert.rejects(remote.setWeights(3), { name: 'ValueError' });
    await assert.rejects(remote.trainOnBatch(x, x), { name: 'ShapeError' });
    await assert.rejects(remote.trainOnBatch(x, y, { weights: 1 }), { name: 'ConfigError' });
    assert.deepEqual(await far(remote), weightsOf(start));
    const grown = (await worker.memory()).tensors - memory.tensors;
    assert.ok(grown <= remote.weights.length * 4, `${grown} tensors`);
    remote.dispose();
  });

  test('calls during training run after it, with the new weights', async () => {
    const remote = await compileRemote();
    const order = [];
    const fit = remote.fit(x, y, { epochs: 4, seed: 2 }).then(() => order.push('fit'));
    const prediction = remote.predict(x);
    prediction.then(() => order.push('predict'));
    await Promise.all([fit, prediction]);
    assert.deepEqual(order, ['fit', 'predict']);
    const { model } = await fitLocally({ epochs: 4, seed: 2 });
    assert.deepEqual((await prediction).array(), model.predict(x).array());
    remote.dispose();
  });

  test('fit() copies its rows: later changes have no effect', async () => {
    const remote = await compileRemote();
    const rows = Int32Array.from(x.flat());
    const training = remote.fit({ data: rows, shape: [24, 5] }, y, { epochs: 2, seed: 2 });
    rows.fill(0);
    assert.deepEqual((await training).history, (await fitLocally({ epochs: 2, seed: 2 })).history);
    remote.dispose();
  });

  test('wrong arguments are refused by class and message, and change nothing', async () => {
    const remote = await compileRemote();
    const weightsBefore = await far(remote);
    const assertRefuses = async (name, message, ...args) =>
      assert.rejects(remote.fit(...args), (error) => {
        assert.deepEqual([error.name, message.test(error.message)], [name, true], error.message);
        return true;
      });
    await assertRefuses('ShapeError', /y_true has shape/, x, x);
    await assertRefuses('ValueError', /a tensor is needed, but got undefined/, undefined, y);
    await assertRefuses('ConfigError', /'epoch' \(did you mean 'epochs'\?\)/, x, y, { epoch: 2 });
    await assertRefuses('ValueError', /epochs/, x, y, { epochs: -1 });
    await assertRefuses('ValueError', /y comes with the batches/, () => [[x, y]], y);
    await assertRefuses('ValueError', /sampleWeight comes with/, () => [[x, y]], {
      sampleWeight: [1],
    });
    await assertRefuses('ValueError', /the result of the function for batches is 3/, () => 3);
    await assertRefuses('ValueError', /a batch is a list/, () => [[1, 2]]);
    await assertRefuses('ValueError', /a batch is the number 3|a batch is 3/, () => [3]);
    await assertRefuses('ShapeError', /y_true has shape/, () => [[x, x]]);
    await assertRefuses('ValueError', /no targets/, () => [[x]]);
    await assertRefuses('ValueError', /controls is an object/, x, y, {
      callbacks: { controls: {} },
    });
    await assertRefuses('ValueError', /callbacks cannot be sent to a worker/, x, y, {
      callbacks: [mf.callbacks.earlyStopping()],
    });
    await assertRefuses('ConfigError', /'earlyStoping' \(did you mean 'earlyStopping'\?\)/, x, y, {
      callbacks: { earlyStoping: {} },
    });
    await assertRefuses('ValueError', /onEpochEnd/, x, y, { onEpochEnd: 'x' });
    await assertRefuses('ValueError', /validationData must be/, x, y, {
      validationData: [x],
    });
    await assert.rejects(remote.compile({ loss: () => 0 }), {
      name: 'ValueError',
      message: /loss is a function/,
    });
    await assert.rejects(remote.compile({ los: 'mse' }), { name: 'ConfigError' });
    await assert.rejects(remote.compile({ optimizer: 'adamm' }), { name: 'ConfigError' });
    assert.deepEqual(await far(remote), weightsBefore);
    remote.dispose();
    await assert.rejects(remote.fit(x, y), { name: 'StateError' });
    const bare = await worker.loadModel(file);
    await assert.rejects(bare.fit(x, y), { name: 'StateError', message: /compile/ });
    bare.dispose();
  });

  test('frees all memory, whether training succeeds or fails', async () => {
    const remote = await compileRemote();
    const sampleWeight = y.flat();
    const train = (more) => remote.fit(x, y, { epochs: 2, sampleWeight, ...more });
    await train();
    const { tensors, bytes } = await worker.memory();
    await train({ validationData: [x, y] });
    await train({ sampleWeight: [1, 2] }).catch(() => {});
    await train({ onBatchEnd: () => Promise.reject(new Error('x')) }).catch(() => {});
    // The worker runs this call after the calls that have ended.
    await remote.predict(x);
    const memoryAfter = await worker.memory();
    assert.deepEqual([memoryAfter.tensors, memoryAfter.bytes], [tensors, bytes]);
    remote.dispose();
  });

  test('a worker that only predicts refuses training and names the remedy; pools cannot train', async () => {
    const predicting = await openWorker();
    const model = await predicting.loadModel(file);
    for (const call of [() => model.fit(x, y), () => model.compile(compileOptions)]) {
      await assert.rejects(call(), {
        name: 'UnsupportedError',
        message: /openWorker\(\{ train: true \}\)/,
      });
    }
    predicting.close();
    await assert.rejects(openPool({ train: true, size: 1 }), { name: 'ConfigError' });
  });

  test('a script that does not train is refused when the worker opens', async () => {
    const workerUrl = new URL('../../dist/worker_main.js', import.meta.url);
    const refusal = { name: 'StateError', message: /worker_train\.js/ };
    await assert.rejects(openWorker({ train: true, workerUrl }), refusal);
    const createWorker = () => new Worker(new URL('../support/own_worker.js', import.meta.url));
    await assert.rejects(openWorker({ train: true, worker: createWorker }), {
      name: 'StateError',
      message: /exports of 'maskflow\/train' to serve\(\)/,
    });
    const url = new URL('../../dist/worker_train.js', import.meta.url);
    const trainingWorker = await openWorker({ train: true, workerUrl: url });
    assert.equal(trainingWorker.runtimeInfo.layers, 'train');
    trainingWorker.close();
  });

  test('a custom worker trains with the exports of maskflow/train', async () => {
    const script = new URL('../support/own_training_worker.js', import.meta.url);
    const customWorker = await openWorker({ worker: () => new Worker(script) });
    const remote = await compileRemote(customWorker);
    const { history } = await remote.fit(x, y, { epochs: 2, seed: 3 });
    assert.deepEqual(history, (await fitLocally({ epochs: 2, seed: 3 })).history);
    customWorker.close();
  });
});
