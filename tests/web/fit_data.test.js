// SPDX-License-Identifier: MIT
// What fit makes of its data: batches, order, weights, validation.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import {
  compiled,
  leavesNothing,
  line,
  linear,
  recording,
  rowsOf,
  sgd,
  warnings,
  weightsOf,
} from '../support/train.js';

before(() => mf.ready());
const { Input, layers, Model, ops, tensor } = mf;

const sizes = (batches) => batches.map((batch) => batch.length);
const zeros = (count) => Array.from({ length: count }, () => [0]);

async function seen(count, options) {
  const { model, recorder } = recording();
  await model.fit(rowsOf(count), zeros(count), options);
  model.dispose();
  return recorder.batches;
}

test('batches of batchSize, the last one smaller; 32 by default', async () => {
  assert.deepEqual(await seen(5, { batchSize: 2, shuffle: false }), [[0, 1], [2, 3], [4]]);
  assert.deepEqual(sizes(await seen(70)), [32, 32, 6]);
});

test('a new order in each epoch, each row once; the same seed gives the same', async () => {
  const options = { batchSize: 4, epochs: 3, seed: 7 };
  const first = await seen(10, options);
  assert.deepEqual(await seen(10, options), first);
  assert.notDeepEqual(await seen(10, { ...options, seed: 8 }), first);
  const epochs = [0, 3, 6].map((i) => first.slice(i, i + 3).flat());
  for (const epoch of epochs) {
    assert.deepEqual(
      epoch.toSorted((a, b) => a - b),
      rowsOf(10).flat(),
    );
  }
  assert.notDeepEqual(epochs[0], epochs[1]);
  assert.notDeepEqual(epochs[1], epochs[2]);
  // Stated, so that it is the same in every engine and version.
  assert.deepEqual(epochs[0], [9, 5, 8, 3, 2, 0, 4, 6, 1, 7]);
});

test('an epoch has its order whether or not those before it were run', async () => {
  const options = { batchSize: 4, seed: 7 };
  const all = await seen(10, { ...options, epochs: 3 });
  assert.deepEqual(await seen(10, { ...options, epochs: 3, initialEpoch: 2 }), all.slice(6));
});

test('every row comes to every place about equally often', async () => {
  const count = 5;
  const places = Array.from({ length: count }, () => Array(count).fill(0));
  for (let seed = 0; seed < 40; seed++) {
    const epochs = await seen(count, { epochs: 10, seed });
    for (const order of epochs) for (const [place, row] of order.entries()) places[place][row]++;
  }
  // 400 draws: 80 each, with a deviation of 8.
  for (const n of places.flat()) assert.ok(n > 48 && n < 112, `${n} of about 80`);
});

test("shuffle 'batch' keeps rows in their batch", async () => {
  const batches = await seen(40, { batchSize: 20, shuffle: 'batch', seed: 1 });
  const sorted = batches.map((batch) => batch.toSorted((a, b) => a - b));
  assert.deepEqual(sorted.flat(), rowsOf(40).flat());
  assert.notDeepEqual(batches.flat(), rowsOf(40).flat());
});

test('stepsPerEpoch: the next epoch goes on where one ends', async () => {
  const options = { batchSize: 2, shuffle: false };
  const batches = await seen(8, { ...options, stepsPerEpoch: 2, epochs: 2 });
  assert.deepEqual(batches, [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
  ]);
  // As in Keras: without a batchSize the rows are shared out among the steps.
  assert.deepEqual(sizes(await seen(10, { stepsPerEpoch: 4 })), [3, 3, 3, 1]);
  const said = await warnings(async () => {
    assert.equal((await seen(4, { ...options, stepsPerEpoch: 3 })).length, 2);
  });
  assert.match(said.join(), /2 batches, not the 3 of stepsPerEpoch/);
});

test('rows keep their mask and their weights when they are shuffled', async () => {
  const model = compiled({ layer: { units: 1 }, compile: { weightedMetrics: ['mae'] } });
  const x = zeros(6);
  const y = rowsOf(6);
  const sampleWeight = [0, 0, 0, 0, 0, 1];
  const { history } = await model.fit(x, y, { sampleWeight, seed: 3, batchSize: 2 });
  // The mean of all batches: the loss of row 5 alone, divided by the batch.
  assert.ok(Math.abs(history.loss[0] - 25 / 6) < 1e-5);
  assert.ok(Math.abs(history.mae[0] - 5) < 1e-6);
});

test('tensors, typed arrays with a shape, nested arrays and dictionaries are the same data', async () => {
  const { x, y } = line(6);
  const flat = (rows) => tensor(Float32Array.from(rows.flat()), { shape: [6, 1] });
  const results = [];
  for (const [a, b] of [
    [x, y],
    [flat(x), flat(y)],
    [x, flat(y)],
    [x, y.flat()],
  ]) {
    const model = compiled();
    await model.fit(a, b, { epochs: 2, batchSize: 4, shuffle: false });
    results.push(weightsOf(model));
  }
  for (const result of results) assert.deepEqual(result, results[0]);
  assert.notDeepEqual(results[0], [[0]]);
});

function twoInTwoOut() {
  const a = Input({ shape: [1], name: 'a' });
  const b = Input({ shape: [1], name: 'b' });
  const dense = (name) => layers.dense({ units: 1, name, kernelInitializer: 'ones' });
  const sum = dense('sum').apply(layers.add().apply([a, b]));
  const difference = dense('difference').apply(layers.subtract().apply([a, b]));
  const model = new Model({ inputs: [a, b], outputs: [sum, difference] });
  model.compile({ optimizer: sgd(), loss: 'mse', metrics: [['mae'], ['mae']] });
  return model;
}

test('several inputs and outputs: lists and dictionaries', async () => {
  const [a, b] = [rowsOf(4), rowsOf(4).toReversed()];
  const add = a.map(([x], i) => [x + b[i][0]]);
  const minus = a.map(([x], i) => [x - b[i][0] + 1]);
  const results = [];
  for (const [x, y] of [
    [
      [tensor(a), tensor(b)],
      [tensor(add), tensor(minus)],
    ],
    // Arrays for as many inputs as the model has.
    [
      [a, b],
      [add, minus],
    ],
    [
      { a, b },
      { sum: add, difference: minus },
    ],
  ]) {
    const model = twoInTwoOut();
    const { history } = await model.fit(x, y, { shuffle: false, validationSplit: 0.5 });
    results.push(history);
  }
  for (const history of results) assert.deepEqual(history, results[0]);
  assert.deepEqual(Object.keys(results[0]), [
    ...['difference_loss', 'difference_mae', 'loss', 'sum_loss', 'sum_mae'],
    ...['val_difference_loss', 'val_difference_mae', 'val_loss', 'val_sum_loss', 'val_sum_mae'],
  ]);
  assert.equal(results[0].sum_loss[0], 0);
  assert.equal(results[0].difference_loss[0], 1);
  assert.equal(results[0].loss[0], 1);
});

test('batches of an iterable, of an asynchronous one, and of a function', async () => {
  const { x, y } = line(6);
  const batches = [0, 2, 4].map((i) => [x.slice(i, i + 2), y.slice(i, i + 2)]);
  const wanted = compiled();
  await wanted.fit(x, y, { batchSize: 2, epochs: 2, shuffle: false });
  async function* later() {
    for (const batch of batches) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      yield batch;
    }
  }
  for (const source of [new Set(batches), () => batches, later]) {
    const model = compiled();
    const { params, epoch } = await model.fit(source, { epochs: 2 });
    assert.deepEqual(weightsOf(model), weightsOf(wanted));
    assert.deepEqual([params.epochs, epoch], [2, [0, 1]]);
  }
  // A generator runs once; with steps the epochs share it.
  const shared = compiled();
  const twice = (function* () {
    for (let i = 0; i < 2; i++) yield* batches;
  })();
  await shared.fit(twice, undefined, { epochs: 2, stepsPerEpoch: 3 });
  assert.deepEqual(weightsOf(shared), weightsOf(wanted));
  const said = await warnings(() => compiled().fit(batches.values(), { epochs: 2 }));
  assert.match(said.join(), /came to their end after 0; a generator runs once/);
});

test('an iterable is closed when fit ends before it', async () => {
  let closed = 0;
  const { x, y } = line(2);
  function* endless() {
    try {
      for (;;) yield [x, y];
    } finally {
      closed++;
    }
  }
  await compiled().fit(endless, { stepsPerEpoch: 3, epochs: 2 });
  assert.equal(closed, 1);
  const model = compiled();
  await model.fit(endless, {
    onBatchEnd: (batch) => {
      model.stopTraining = batch === 4;
    },
  });
  assert.equal(closed, 2);
  await assert.rejects(
    compiled().fit(endless, {
      onBatchEnd() {
        throw new Error('enough');
      },
    }),
    /enough/,
  );
  assert.equal(closed, 3);
});

test('sample weights and class weights of batches', async () => {
  const { x, y } = line(4);
  const results = [];
  for (const [source, options] of [
    [[[x, y, [1, 2, 3, 4]]].values(), {}],
    [() => [[x, y, tensor([1, 2, 3, 4])]], {}],
  ]) {
    const model = compiled();
    await model.fit(source, options);
    results.push(weightsOf(model));
  }
  const plain = compiled();
  await plain.fit(x, y, { sampleWeight: [1, 2, 3, 4], shuffle: false });
  for (const result of results) assert.deepEqual(result, weightsOf(plain));
});

test('class weights: by labels, by one-hot rows, missing ones weigh 1; not for validation', async () => {
  const x = rowsOf(4).map(([i]) => [i / 4, 1]);
  const labels = [0, 1, 2, 1];
  const hot = labels.map((label) => [0, 1, 2].map((k) => Number(k === label)));
  const settings = { layer: { width: 2, units: 3, activation: 'softmax' } };
  const run = async (loss, y, options) => {
    const model = compiled({ ...settings, compile: { loss } });
    const { history } = await model.fit(x, y, { shuffle: false, ...options });
    return [weightsOf(model), history.loss, history.val_loss];
  };
  const classWeight = { 0: 0.5, 1: 3 };
  const wanted = await run('scce', labels, { sampleWeight: [0.5, 3, 1, 3] });
  assert.deepEqual(await run('scce', labels, { classWeight }), wanted);
  const columns = labels.map((label) => [label]);
  assert.deepEqual(await run('scce', columns, { classWeight }), wanted);
  const [weights] = await run('categorical_crossentropy', hot, { classWeight });
  weights[0].forEach((w, i) => {
    assert.ok(Math.abs(w - wanted[0][0][i]) < 1e-6);
  });
  const validationData = [x, labels];
  const [, , weighted] = await run('scce', labels, { classWeight: { 0: 0 }, validationData });
  const [, , plain] = await run('scce', labels, { sampleWeight: [0, 1, 1, 1], validationData });
  assert.deepEqual(weighted, plain);
});

test('validationSplit: the last rows, with their sample weights; as validationData of these', async () => {
  const { x, y } = line(10);
  const weights = rowsOf(10).flat();
  const run = async (count, options) => {
    const model = compiled({ compile: { weightedMetrics: ['mae'] } });
    const { history } = await model.fit(x.slice(0, count), y.slice(0, count), {
      batchSize: 4,
      epochs: 2,
      seed: 1,
      ...options,
    });
    return history;
  };
  const split = await run(10, { validationSplit: 0.3, sampleWeight: weights });
  const given = await run(7, {
    validationData: [x.slice(7), y.slice(7), weights.slice(7)],
    sampleWeight: weights.slice(0, 7),
  });
  assert.deepEqual(split, given);
  assert.deepEqual(Object.keys(split), ['loss', 'mae', 'val_loss', 'val_mae']);
});

test('validationFreq, validationSteps and validationBatchSize', async () => {
  const { x, y } = line(8);
  const tested = [];
  const run = async (options) => {
    tested.length = 0;
    const { history } = await compiled().fit(x, y, {
      epochs: 4,
      validationData: [x, y],
      callbacks: [{ onTestBatchEnd: (batch) => tested.push(batch) }],
      ...options,
    });
    return history.val_loss?.length;
  };
  assert.equal(await run({ validationFreq: 2 }), 2);
  assert.equal(await run({ validationFreq: [1, 2, 4] }), 3);
  assert.equal(await run({ epochs: 1, validationBatchSize: 3 }), 1);
  assert.deepEqual(tested, [0, 1, 2]);
  assert.equal(await run({ epochs: 2, validationSteps: 2, validationBatchSize: 2 }), 2);
  assert.deepEqual(tested, [0, 1, 0, 1]);
  const batches = [[x, y]];
  assert.equal(await run({ epochs: 2, validationData: () => batches }), 2);
});

test('losses and metrics of functions of your own take weights and masks', async () => {
  const own = (yTrue, yPred) => ops.mean(ops.square(ops.subtract(yTrue, yPred)), { axis: -1 });
  const { x, y } = line(6);
  const sampleWeight = [1, 2, 0, 1, 1, 3];
  const results = [];
  for (const loss of [own, 'mse', { class_name: 'MeanSquaredError' }, mf.losses.meanSquaredError]) {
    const model = compiled({ compile: { loss } });
    const { history } = await model.fit(x, y, { sampleWeight, shuffle: false, epochs: 2 });
    results.push(history.loss);
  }
  for (const [i, loss] of results.entries()) {
    loss.forEach((value, k) => {
      assert.ok(Math.abs(value - results[1][k]) < 1e-6, `${i}: ${value}`);
    });
  }
  const masked = linear();
  masked.compile({ optimizer: sgd(), loss: own });
  const mask = [true, false, true, true, false, true];
  const data = tensor(x).withMask(mask);
  const { history } = await masked.fit(data, y, { shuffle: false });
  const kept = y.filter((_, i) => mask[i]).map(([value]) => value * value);
  const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
  assert.ok(Math.abs(history.loss[0] - mean) < 1e-6);
});

test('regularizers are part of every loss', async () => {
  const regularizer = { class_name: 'L2', config: { l2: 0.5 } };
  const layer = { kernelRegularizer: regularizer, kernelInitializer: 'ones' };
  const model = compiled({ layer, learningRate: 0.1 });
  const x = [[1], [1]];
  const { history } = await model.fit(x, [[1], [1]], { validationData: [x, [[1], [1]]] });
  assert.equal(history.loss[0], 0.5);
  // w = 1 - 0.1 · 2 · 0.5 = 0.9
  assert.ok(Math.abs(weightsOf(model)[0][0] - 0.9) < 1e-6);
  const penalty = 0.5 * 0.81;
  assert.ok(Math.abs(history.val_loss[0] - (0.01 + penalty)) < 1e-6);
});

test('trainOnBatch and testOnBatch: of this batch alone', async () => {
  const { x, y } = line(4);
  const model = compiled({ compile: { metrics: ['mae'] } });
  weightsOf(model); // makes them
  await leavesNothing(async () => {
    const before = await model.testOnBatch(x, y);
    assert.deepEqual(await model.trainOnBatch(x, y), before);
    const after = await model.testOnBatch(x, y);
    assert.ok(after.loss < before.loss && after.mae < before.mae);
    assert.deepEqual(model.evaluate(x, y), after);
    const weighted = await model.testOnBatch(x, y, { sampleWeight: [0, 0, 0, 0] });
    assert.equal(weighted.loss, 0);
    await model.trainOnBatch(x, y, { sampleWeight: [0, 0, 0, 0] });
    assert.deepEqual(await model.testOnBatch(x, y), after);
    const prediction = model.predictOnBatch(x);
    assert.deepEqual(prediction.shape, [4, 1]);
    prediction.dispose();
  });
});

test('a model of your own code: built by the first batch, with layers, weights and inputs of its own', async () => {
  class Own extends Model {
    dense = layers.dense({ units: 2, kernelInitializer: 'ones', useBias: false });
    build() {
      this.gain = this.addWeight({ name: 'gain', shape: [1], initializer: 'ones' });
    }
    call({ a, b }) {
      const sum = this.dense.apply(ops.add(a, b));
      return { sum: ops.multiply(sum, this.gain), difference: ops.subtract(a, b) };
    }
  }
  const model = new Own({});
  model.compile({ optimizer: sgd(), loss: { sum: 'mse' }, metrics: { difference: ['mae'] } });
  const x = { a: rowsOf(4), b: rowsOf(4) };
  const y = { sum: rowsOf(4, 2), difference: rowsOf(4) };
  const { history } = await model.fit(x, y, { epochs: 2, shuffle: false, batchSize: 4 });
  assert.deepEqual(Object.keys(history), ['difference_mae', 'loss']);
  assert.deepEqual(history.difference_mae, [1.5, 1.5]);
  assert.ok(history.loss[1] !== history.loss[0]);
  const paths = model.trainableVariables.map(({ name }) => name);
  assert.deepEqual(paths, ['gain', 'kernel']);
  for (const [w] of weightsOf(model)) assert.notEqual(w, 1);
  model.dispose();
});

test('a model without trainable weights: losses, and nothing changes', async () => {
  const model = compiled({ layer: { trainable: false } });
  const { x, y } = line(4);
  const said = await warnings(async () => {
    const { history } = await model.fit(x, y, { epochs: 2 });
    assert.equal(history.loss[0], history.loss[1]);
  });
  assert.match(said.join(), /no trainable weights/);
  assert.equal(said.length, 1);
});

test('stateful layers keep their states over batches and epochs; a rehearsal does not touch them', async () => {
  const input = Input({ shape: [3, 1], batchSize: 2 });
  const rnn = layers.simpleRNN({ units: 1, stateful: true, activation: 'linear' });
  const model = new Model({ inputs: input, outputs: rnn.apply(input) });
  model.compile({ optimizer: sgd(0), loss: 'mse' });
  mf.tidy(() => model.setWeights([[[1]], [[1]], [0]]));
  const x = ops.ones([4, 3, 1]);
  const { history } = await model.fit(x, [[0], [0], [0], [0]], {
    batchSize: 2,
    epochs: 2,
    shuffle: false,
  });
  // Sums go on: 3, 6, then 9, 12.
  assert.deepEqual(history.loss, [(9 + 36) / 2, (81 + 144) / 2]);
});
