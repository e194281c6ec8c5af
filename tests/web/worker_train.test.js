// SPDX-License-Identifier: MIT
// Training in a worker: the numbers of fit in this thread to the bit, its events in order, its errors by class.
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
const chosen = {
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

  async function compiled(of = worker) {
    const model = await of.loadModel(file);
    await model.compile(chosen);
    return model;
  }
  async function here(options, rows = x, targets = y) {
    const model = await mf.loadModel(file);
    model.compile(chosen);
    const { history, epoch } = await model.fit(rows, targets, options);
    return { model, history, epoch };
  }
  const far = async (model) => (await model.getWeights()).map((weight) => [...weight.data()]);

  test('gives the history and the weights of fit in this thread', async () => {
    assert.equal(worker.runtimeInfo.layers, 'train');
    const settings = {
      epochs: 3,
      batchSize: 5,
      seed: 4,
      validationSplit: 0.25,
      classWeight: { 1: 2 },
    };
    const remote = await compiled();
    const { history, epoch, params } = await remote.fit(x, y, settings);
    const local = await here(settings);
    assert.deepEqual(history, local.history);
    assert.deepEqual([epoch, params.epochs], [[0, 1, 2], 3]);
    assert.deepEqual(await far(remote), weightsOf(local.model));
    const { loss } = await remote.evaluate(x, y);
    assert.equal(loss, (await local.model.evaluate(x, y)).loss);
    // The file has the optimizer, too, and goes on from there.
    const again = await mf.loadModel(await remote.save());
    assert.equal(again.optimizer.iterations, local.model.optimizer.iterations);
    remote.dispose();
  });

  test('takes weights of rows, validation data, and callbacks that it makes itself', async () => {
    const sampleWeight = y.map(([one]) => 1 + one);
    const validationData = [x.slice(0, 6), y.slice(0, 6), sampleWeight.slice(0, 6)];
    const settings = { epochs: 9, seed: 1, sampleWeight, validationData };
    const stopping = { monitor: 'loss', mode: 'max', patience: 1, restoreBestWeights: true };
    const remote = await compiled();
    const { history } = await remote.fit(x, y, {
      ...settings,
      callbacks: { earlyStopping: stopping },
    });
    const callbacks = [mf.callbacks.earlyStopping(stopping)];
    const local = await here({ ...settings, callbacks });
    assert.deepEqual(history, local.history);
    assert.ok(history.loss.length < 9, 'stopped early');
    assert.deepEqual(await far(remote), weightsOf(local.model));
    remote.dispose();
  });

  test('tells of epochs and batches, in order, before it ends', async () => {
    const told = [];
    const hook = (name) => (at, logs) => told.push([name, at, logs && Object.keys(logs).join()]);
    const names = ['onEpochBegin', 'onBatchBegin', 'onBatchEnd', 'onEpochEnd'];
    const hooks = Object.fromEntries(names.map((name) => [name, hook(name)]));
    const remote = await compiled();
    const { history } = await remote.fit(x, y, { batchSize: 12, epochs: 2, seed: 1, ...hooks });
    const logs = 'accuracy,loss';
    const epoch = (i) => [
      ['onEpochBegin', i, undefined],
      ['onBatchBegin', 0, undefined],
      ['onBatchEnd', 0, logs],
      ['onBatchBegin', 1, undefined],
      ['onBatchEnd', 1, logs],
      ['onEpochEnd', i, logs],
    ];
    assert.deepEqual(told, [...epoch(0), ...epoch(1)]);
    assert.equal(history.loss.length, 2);
    remote.dispose();
  });

  test('ends by a signal with its reason, and the worker goes on with what it was asked', async () => {
    const remote = await compiled();
    const control = new AbortController();
    const reason = new Error('enough');
    let epochs = 0;
    const onEpochEnd = () => {
      epochs++;
      control.abort(reason);
    };
    const endless = { epochs: 1e6, signal: control.signal };
    await assert.rejects(remote.fit(x, y, { ...endless, onEpochEnd }), (error) => error === reason);
    const after = await far(remote);
    assert.equal(epochs, 1, 'no hook is called after the end');
    await new Promise((done) => setTimeout(done, 50));
    assert.deepEqual(await far(remote), after, 'nothing is trained any more');
    await assert.rejects(remote.fit(x, y, endless), (error) => error === reason);
    assert.equal((await remote.fit(x, y)).history.loss.length, 1);
    remote.dispose();
  });

  test('ends where a hook throws, or fails later', async () => {
    const remote = await compiled();
    const wrong = new RangeError('mine');
    const throws = () => {
      throw wrong;
    };
    for (const onBatchEnd of [throws, async () => throws()]) {
      const run = remote.fit(x, y, { epochs: 1e6, onBatchEnd });
      await assert.rejects(run, (error) => error === wrong);
    }
    assert.equal((await remote.predict(x)).shape[0], 24);
    remote.dispose();
  });

  const rowsBy = (size) => [
    [x.slice(0, size), y.slice(0, size)],
    [x.slice(size), y.slice(size), y.slice(size).map(([one]) => 1 + one)],
  ];

  test('asks for the batches of an iterable, one by one', async () => {
    const asked = [];
    async function* later() {
      for (const [i, batch] of rowsBy(7).entries()) {
        asked.push(i);
        await new Promise((done) => setTimeout(done, 2));
        yield batch;
      }
    }
    for (const batches of [rowsBy(7).values(), () => rowsBy(7), later]) {
      const once = !(batches instanceof Function);
      const given = { epochs: once ? 1 : 3, validationData: () => rowsBy(3) };
      const remote = await compiled();
      const { history } = await remote.fit(batches, given);
      const local = await here(given, () => rowsBy(7), null);
      assert.deepEqual(history, local.history);
      assert.deepEqual(await far(remote), weightsOf(local.model));
      remote.dispose();
    }
    assert.deepEqual(asked, [0, 1, 0, 1, 0, 1]);
    const remote = await compiled();
    const stepwise = { epochs: 2, stepsPerEpoch: 1 };
    const { history } = await remote.fit(rowsBy(7).values(), null, stepwise);
    assert.deepEqual(history, (await here(stepwise, rowsBy(7).values(), null)).history);
    remote.dispose();
  });

  test('batches that fail end fit with their error, and are let go', async () => {
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
    const remote = await compiled();
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
    const wrong = { [Symbol.iterator]: () => ({}) };
    await assert.rejects(remote.fit(wrong), { name: 'ValueError', message: /next\(\)/ });
    await remote.fit(endless, { stepsPerEpoch: 2 });
    assert.deepEqual(events, ['closed', 'let go', 'let go']);
    assert.equal((await remote.predict(x)).shape[0], x.length, 'the worker goes on');
    const { tensors } = await worker.memory();
    assert.ok(tensors <= memory.tensors + remote.weights.length * 4, `${tensors} tensors`);
    remote.dispose();
  });

  test('controls pause, resume and stop', async () => {
    const remote = await compiled();
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
    await new Promise((done) => setTimeout(done, 60));
    assert.deepEqual([batches.length, controls.paused], [0, true]);
    await assert.rejects(remote.fit(x, y, options), { name: 'StateError', message: /controls/ });
    controls.resume();
    while (batches.length < 6) await new Promise((done) => setTimeout(done, 1));
    controls.pause();
    await new Promise((done) => setTimeout(done, 60));
    const { length } = batches;
    await new Promise((done) => setTimeout(done, 40));
    assert.deepEqual([batches.length, controls.paused], [length, true]);
    controls.stop();
    const { history } = await running;
    assert.ok(history.loss.length < 1000 && history.loss.length > 0);
    assert.equal(controls.paused, false);
    const again = await remote.fit(x, y, { ...options, epochs: 1 });
    assert.equal(again.history.loss.length, 1, 'they are for the next fit, too');
    remote.dispose();
  });

  test('trainOnBatch, testOnBatch and setWeights are those of this thread', async () => {
    const remote = await compiled();
    const local = await mf.loadModel(file);
    local.compile(chosen);
    const memory = await worker.memory();
    for (const options of [undefined, { sampleWeight: y.flat() }, { classWeight: { 0: 2 } }]) {
      const logs = await remote.trainOnBatch(x, y, options);
      assert.deepEqual(logs, await local.trainOnBatch(x, y, options));
      assert.deepEqual(await remote.testOnBatch(x, y), await local.testOnBatch(x, y));
    }
    assert.deepEqual(await far(remote), weightsOf(local));
    const start = await mf.loadModel(file);
    const values = start.getWeights();
    for (const given of [
      values,
      values.map((one) => one.data()),
      values.map((one) => one.array()),
    ]) {
      await remote.trainOnBatch(x, y);
      await remote.setWeights(given);
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

  test('computes what is asked meanwhile when it has ended: with the new weights', async () => {
    const remote = await compiled();
    const order = [];
    const fit = remote.fit(x, y, { epochs: 4, seed: 2 }).then(() => order.push('fit'));
    const predicted = remote.predict(x);
    predicted.then(() => order.push('predict'));
    await Promise.all([fit, predicted]);
    assert.deepEqual(order, ['fit', 'predict']);
    const { model } = await here({ epochs: 4, seed: 2 });
    assert.deepEqual((await predicted).array(), model.predict(x).array());
    remote.dispose();
  });

  test('keeps a copy of the rows: what changes after the call is not seen', async () => {
    const remote = await compiled();
    const rows = Int32Array.from(x.flat());
    const run = remote.fit({ data: rows, shape: [24, 5] }, y, { epochs: 2, seed: 2 });
    rows.fill(0);
    assert.deepEqual((await run).history, (await here({ epochs: 2, seed: 2 })).history);
    remote.dispose();
  });

  test('refuses by class and in words, and stays as it was', async () => {
    const remote = await compiled();
    const before = await far(remote);
    const bad = async (name, message, ...args) =>
      assert.rejects(remote.fit(...args), (error) => {
        assert.deepEqual([error.name, message.test(error.message)], [name, true], error.message);
        return true;
      });
    await bad('ShapeError', /y_true has shape/, x, x);
    await bad('ValueError', /input is missing/, undefined, y);
    await bad('ConfigError', /'epoch' \(did you mean 'epochs'\?\)/, x, y, { epoch: 2 });
    await bad('ValueError', /epochs/, x, y, { epochs: -1 });
    await bad('ValueError', /y comes with the batches/, () => [[x, y]], y);
    await bad('ValueError', /sampleWeight comes with/, () => [[x, y]], { sampleWeight: [1] });
    await bad('ValueError', /the function for batches gives is 3/, () => 3);
    await bad('ValueError', /a batch is a list/, () => [[1, 2]]);
    await bad('ValueError', /a batch is the number 3|a batch is 3/, () => [3]);
    await bad('ShapeError', /y_true has shape/, () => [[x, x]]);
    await bad('ValueError', /no targets/, () => [[x]]);
    await bad('ValueError', /controls is an object/, x, y, { callbacks: { controls: {} } });
    await bad('ValueError', /callbacks cannot go to a worker/, x, y, {
      callbacks: [mf.callbacks.earlyStopping()],
    });
    await bad('ConfigError', /'earlyStoping' \(did you mean 'earlyStopping'\?\)/, x, y, {
      callbacks: { earlyStoping: {} },
    });
    await bad('ValueError', /onEpochEnd/, x, y, { onEpochEnd: 'x' });
    await bad('ValueError', /validationData of a worker is/, x, y, { validationData: [x] });
    await assert.rejects(remote.compile({ loss: () => 0 }), {
      name: 'ValueError',
      message: /loss is a function/,
    });
    await assert.rejects(remote.compile({ los: 'mse' }), { name: 'ConfigError' });
    await assert.rejects(remote.compile({ optimizer: 'adamm' }), { name: 'ConfigError' });
    assert.deepEqual(await far(remote), before);
    remote.dispose();
    await assert.rejects(remote.fit(x, y), { name: 'StateError' });
    const bare = await worker.loadModel(file);
    await assert.rejects(bare.fit(x, y), { name: 'StateError', message: /compile/ });
    bare.dispose();
  });

  test('leaves nothing in its memory, whether it ends or fails', async () => {
    const remote = await compiled();
    const sampleWeight = y.flat();
    const run = (more) => remote.fit(x, y, { epochs: 2, sampleWeight, ...more });
    await run();
    const { tensors, bytes } = await worker.memory();
    await run({ validationData: [x, y] });
    await run({ sampleWeight: [1, 2] }).catch(() => {});
    await run({ onBatchEnd: () => Promise.reject(new Error('x')) }).catch(() => {});
    // (Its place in the queue comes after what was ended.)
    await remote.predict(x);
    const after = await worker.memory();
    assert.deepEqual([after.tensors, after.bytes], [tensors, bytes]);
    remote.dispose();
  });

  test('a worker that only predicts says how to get one, and has none of it', async () => {
    const plain = await openWorker();
    const model = await plain.loadModel(file);
    for (const call of [() => model.fit(x, y), () => model.compile(chosen)]) {
      await assert.rejects(call(), {
        name: 'UnsupportedError',
        message: /openWorker\(\{ train: true \}\)/,
      });
    }
    plain.close();
    await assert.rejects(openPool({ train: true, size: 1 }), { name: 'ConfigError' });
  });

  test('a script that does not train is told of at once', async () => {
    const workerUrl = new URL('../../dist/worker_main.js', import.meta.url);
    const refused = { name: 'StateError', message: /worker_train\.js/ };
    await assert.rejects(openWorker({ train: true, workerUrl }), refused);
    const own = () => new Worker(new URL('../support/own_worker.js', import.meta.url));
    await assert.rejects(openWorker({ train: true, worker: own }), {
      name: 'StateError',
      message: /serve\(\) what 'maskflow\/train' exports/,
    });
    const url = new URL('../../dist/worker_train.js', import.meta.url);
    const there = await openWorker({ train: true, workerUrl: url });
    assert.equal(there.runtimeInfo.layers, 'train');
    there.close();
  });

  test('a worker of your own trains with what maskflow/train exports', async () => {
    const script = new URL('../support/own_training_worker.js', import.meta.url);
    const own = await openWorker({ worker: () => new Worker(script) });
    const remote = await compiled(own);
    const { history } = await remote.fit(x, y, { epochs: 2, seed: 3 });
    assert.deepEqual(history, (await here({ epochs: 2, seed: 3 })).history);
    own.close();
  });
});
