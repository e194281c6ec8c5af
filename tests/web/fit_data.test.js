// SPDX-License-Identifier: MIT
// How fit splits and orders its data: batches, order, weights, validation.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import {
  compiledModel,
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

async function batchesOf(count, options) {
  const { model, recorder } = recording();
  await model.fit(rowsOf(count), zeros(count), options);
  model.dispose();
  return recorder.batches;
}

test('batches of batchSize, the last one smaller; 32 by default', async () => {
  assert.deepEqual(await batchesOf(5, { batchSize: 2, shuffle: false }), [[0, 1], [2, 3], [4]]);
  assert.deepEqual(sizes(await batchesOf(70)), [32, 32, 6]);
});

test('each epoch has a new order with each row once; the same seed gives the same order', async () => {
  const options = { batchSize: 4, epochs: 3, seed: 7 };
  const batches = await batchesOf(10, options);
  assert.deepEqual(await batchesOf(10, options), batches);
  assert.notDeepEqual(await batchesOf(10, { ...options, seed: 8 }), batches);
  const epochs = [0, 3, 6].map((i) => batches.slice(i, i + 3).flat());
  for (const epoch of epochs) {
    assert.deepEqual(
      epoch.toSorted((a, b) => a - b),
      rowsOf(10).flat(),
    );
  }
  assert.notDeepEqual(epochs[0], epochs[1]);
  assert.notDeepEqual(epochs[1], epochs[2]);
  // The exact order is checked because it must be the same in every engine and version.
  assert.deepEqual(epochs[0], [9, 5, 8, 3, 2, 0, 4, 6, 1, 7]);
});

test('the order of an epoch does not depend on whether earlier epochs were run', async () => {
  const options = { batchSize: 4, seed: 7 };
  const all = await batchesOf(10, { ...options, epochs: 3 });
  assert.deepEqual(await batchesOf(10, { ...options, epochs: 3, initialEpoch: 2 }), all.slice(6));
});

test('every row comes to every place about equally often', async () => {
  const count = 5;
  const places = Array.from({ length: count }, () => Array(count).fill(0));
  for (let seed = 0; seed < 40; seed++) {
    const epochs = await batchesOf(count, { epochs: 10, seed });
    for (const order of epochs) for (const [place, row] of order.entries()) places[place][row]++;
  }
  // In 400 draws each row is expected 80 times, with a standard deviation of 8.
  for (const n of places.flat()) assert.ok(n > 48 && n < 112, `${n} of about 80`);
});

test("shuffle 'batch' keeps rows in their batch", async () => {
  const batches = await batchesOf(40, { batchSize: 20, shuffle: 'batch', seed: 1 });
  const sorted = batches.map((batch) => batch.toSorted((a, b) => a - b));
  assert.deepEqual(sorted.flat(), rowsOf(40).flat());
  assert.notDeepEqual(batches.flat(), rowsOf(40).flat());
});

test('with stepsPerEpoch the next epoch continues where the last one ended', async () => {
  const options = { batchSize: 2, shuffle: false };
  const batches = await batchesOf(8, { ...options, stepsPerEpoch: 2, epochs: 2 });
  assert.deepEqual(batches, [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
  ]);
  // As in Keras, without a batchSize the rows are divided among the steps.
  assert.deepEqual(sizes(await batchesOf(10, { stepsPerEpoch: 4 })), [3, 3, 3, 1]);
  const messages = await warnings(async () => {
    assert.equal((await batchesOf(4, { ...options, stepsPerEpoch: 3 })).length, 2);
  });
  assert.match(messages.join(), /only 2 batches, but stepsPerEpoch is 3/);
});

test('rows keep their mask and their weights when they are shuffled', async () => {
  const model = compiledModel({ layer: { units: 1 }, compile: { weightedMetrics: ['mae'] } });
  const x = zeros(6);
  const y = rowsOf(6);
  const sampleWeight = [0, 0, 0, 0, 0, 1];
  const { history } = await model.fit(x, y, { sampleWeight, seed: 3, batchSize: 2 });
  // Each reported loss is a mean over all rows, and only row 5 has a loss.
  assert.ok(Math.abs(history.loss[0] - 25 / 6) < 1e-5);
  assert.ok(Math.abs(history.mae[0] - 5) < 1e-6);
});

test('tensors, typed arrays with a shape, nested arrays and dictionaries mean the same data', async () => {
  const { x, y } = line(6);
  const flat = (rows) => tensor(Float32Array.from(rows.flat()), { shape: [6, 1] });
  const results = [];
  for (const [a, b] of [
    [x, y],
    [flat(x), flat(y)],
    [x, flat(y)],
    [x, y.flat()],
  ]) {
    const model = compiledModel();
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

test('several inputs and outputs may be lists or dictionaries', async () => {
  const [a, b] = [rowsOf(4), rowsOf(4).toReversed()];
  const add = a.map(([x], i) => [x + b[i][0]]);
  const minus = a.map(([x], i) => [x - b[i][0] + 1]);
  const results = [];
  for (const [x, y] of [
    [
      [tensor(a), tensor(b)],
      [tensor(add), tensor(minus)],
    ],
    // A batch must have as many arrays as the model has inputs.
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

test('batches may come from an iterable, an async iterable or a function', async () => {
  const { x, y } = line(6);
  const batches = [0, 2, 4].map((i) => [x.slice(i, i + 2), y.slice(i, i + 2)]);
  const expected = compiledModel();
  await expected.fit(x, y, { batchSize: 2, epochs: 2, shuffle: false });
  async function* asyncBatches() {
    for (const batch of batches) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      yield batch;
    }
  }
  for (const source of [new Set(batches), () => batches, asyncBatches]) {
    const model = compiledModel();
    const { params, epoch } = await model.fit(source, { epochs: 2 });
    assert.deepEqual(weightsOf(model), weightsOf(expected));
    assert.deepEqual([params.epochs, epoch], [2, [0, 1]]);
  }
  // A generator runs only once; with stepsPerEpoch the epochs share it.
  const sharedModel = compiledModel();
  const generator = (function* () {
    for (let i = 0; i < 2; i++) yield* batches;
  })();
  await sharedModel.fit(generator, undefined, { epochs: 2, stepsPerEpoch: 3 });
  assert.deepEqual(weightsOf(sharedModel), weightsOf(expected));
  const messages = await warnings(() => compiledModel().fit(batches.values(), { epochs: 2 }));
  assert.match(messages.join(), /ended after 0; if they are a generator, which runs once/);
});

test('an iterable is closed if fit ends before it', async () => {
  let closeCount = 0;
  const { x, y } = line(2);
  function* endless() {
    try {
      for (;;) yield [x, y];
    } finally {
      closeCount++;
    }
  }
  await compiledModel().fit(endless, { stepsPerEpoch: 3, epochs: 2 });
  assert.equal(closeCount, 1);
  const model = compiledModel();
  await model.fit(endless, {
    onBatchEnd: (batch) => {
      model.stopTraining = batch === 4;
    },
  });
  assert.equal(closeCount, 2);
  await assert.rejects(
    compiledModel().fit(endless, {
      onBatchEnd() {
        throw new Error('enough');
      },
    }),
    /enough/,
  );
  assert.equal(closeCount, 3);
});

test('batches may have sample weights and class weights', async () => {
  const { x, y } = line(4);
  const results = [];
  for (const [source, options] of [
    [[[x, y, [1, 2, 3, 4]]].values(), {}],
    [() => [[x, y, tensor([1, 2, 3, 4])]], {}],
  ]) {
    const model = compiledModel();
    await model.fit(source, options);
    results.push(weightsOf(model));
  }
  const reference = compiledModel();
  await reference.fit(x, y, { sampleWeight: [1, 2, 3, 4], shuffle: false });
  for (const result of results) assert.deepEqual(result, weightsOf(reference));
});

test('class weights work with labels and one-hot rows; missing classes weigh 1; validation ignores them', async () => {
  const x = rowsOf(4).map(([i]) => [i / 4, 1]);
  const labels = [0, 1, 2, 1];
  const hot = labels.map((label) => [0, 1, 2].map((k) => Number(k === label)));
  const settings = { layer: { width: 2, units: 3, activation: 'softmax' } };
  const run = async (loss, y, options) => {
    const model = compiledModel({ ...settings, compile: { loss } });
    const { history } = await model.fit(x, y, { shuffle: false, ...options });
    return [weightsOf(model), history.loss, history.val_loss];
  };
  const classWeight = { 0: 0.5, 1: 3 };
  const expected = await run('scce', labels, { sampleWeight: [0.5, 3, 1, 3] });
  assert.deepEqual(await run('scce', labels, { classWeight }), expected);
  const columns = labels.map((label) => [label]);
  assert.deepEqual(await run('scce', columns, { classWeight }), expected);
  const [weights] = await run('categorical_crossentropy', hot, { classWeight });
  weights[0].forEach((w, i) => {
    assert.ok(Math.abs(w - expected[0][0][i]) < 1e-6);
  });
  const validationData = [x, labels];
  const [, , weighted] = await run('scce', labels, { classWeight: { 0: 0 }, validationData });
  const [, , plain] = await run('scce', labels, { sampleWeight: [0, 1, 1, 1], validationData });
  assert.deepEqual(weighted, plain);
});

test('validationSplit uses the last rows and their sample weights, as validationData would', async () => {
  const { x, y } = line(10);
  const weights = rowsOf(10).flat();
  const run = async (count, options) => {
    const model = compiledModel({ compile: { weightedMetrics: ['mae'] } });
    const { history } = await model.fit(x.slice(0, count), y.slice(0, count), {
      batchSize: 4,
      epochs: 2,
      seed: 1,
      ...options,
    });
    return history;
  };
  const fromSplit = await run(10, { validationSplit: 0.3, sampleWeight: weights });
  const fromData = await run(7, {
    validationData: [x.slice(7), y.slice(7), weights.slice(7)],
    sampleWeight: weights.slice(0, 7),
  });
  assert.deepEqual(fromSplit, fromData);
  assert.deepEqual(Object.keys(fromSplit), ['loss', 'mae', 'val_loss', 'val_mae']);
});

test('validationFreq, validationSteps and validationBatchSize choose what is validated', async () => {
  const { x, y } = line(8);
  const validatedBatches = [];
  const run = async (options) => {
    validatedBatches.length = 0;
    const { history } = await compiledModel().fit(x, y, {
      epochs: 4,
      validationData: [x, y],
      callbacks: [{ onTestBatchEnd: (batch) => validatedBatches.push(batch) }],
      ...options,
    });
    return history.val_loss?.length;
  };
  assert.equal(await run({ validationFreq: 2 }), 2);
  assert.equal(await run({ validationFreq: [1, 2, 4] }), 3);
  assert.equal(await run({ epochs: 1, validationBatchSize: 3 }), 1);
  assert.deepEqual(validatedBatches, [0, 1, 2]);
  assert.equal(await run({ epochs: 2, validationSteps: 2, validationBatchSize: 2 }), 2);
  assert.deepEqual(validatedBatches, [0, 1, 0, 1]);
  const batches = [[x, y]];
  assert.equal(await run({ epochs: 2, validationData: () => batches }), 2);
});

test('custom losses and metrics receive weights and masks', async () => {
  const customLoss = (yTrue, yPred) =>
    ops.mean(ops.square(ops.subtract(yTrue, yPred)), { axis: -1 });
  const { x, y } = line(6);
  const sampleWeight = [1, 2, 0, 1, 1, 3];
  const results = [];
  for (const loss of [
    customLoss,
    'mse',
    { class_name: 'MeanSquaredError' },
    mf.losses.meanSquaredError,
  ]) {
    const model = compiledModel({ compile: { loss } });
    const { history } = await model.fit(x, y, { sampleWeight, shuffle: false, epochs: 2 });
    results.push(history.loss);
  }
  for (const [i, loss] of results.entries()) {
    loss.forEach((value, k) => {
      assert.ok(Math.abs(value - results[1][k]) < 1e-6, `${i}: ${value}`);
    });
  }
  const masked = linear();
  masked.compile({ optimizer: sgd(), loss: customLoss });
  const mask = [true, false, true, true, false, true];
  const data = tensor(x).withMask(mask);
  const { history } = await masked.fit(data, y, { shuffle: false });
  const keptSquares = y.filter((_, i) => mask[i]).map(([value]) => value * value);
  const mean = keptSquares.reduce((sum, value) => sum + value, 0) / keptSquares.length;
  assert.ok(Math.abs(history.loss[0] - mean) < 1e-6);
});

test('regularizers are part of every loss', async () => {
  const regularizer = { class_name: 'L2', config: { l2: 0.5 } };
  const layer = { kernelRegularizer: regularizer, kernelInitializer: 'ones' };
  const model = compiledModel({ layer, learningRate: 0.1 });
  const x = [[1], [1]];
  const { history } = await model.fit(x, [[1], [1]], { validationData: [x, [[1], [1]]] });
  assert.equal(history.loss[0], 0.5);
  // w = 1 - 0.1 · 2 · 0.5 = 0.9
  assert.ok(Math.abs(weightsOf(model)[0][0] - 0.9) < 1e-6);
  const penalty = 0.5 * 0.81;
  assert.ok(Math.abs(history.val_loss[0] - (0.01 + penalty)) < 1e-6);
});

test('trainOnBatch and testOnBatch return the results of this batch alone', async () => {
  const { x, y } = line(4);
  const model = compiledModel({ compile: { metrics: ['mae'] } });
  weightsOf(model); // The first run creates the weights, which stay.
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

test('a custom model is built by the first batch, and may have its own layers, weights and inputs', async () => {
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

test('a model without trainable weights has losses and does not change', async () => {
  const model = compiledModel({ layer: { trainable: false } });
  const { x, y } = line(4);
  const messages = await warnings(async () => {
    const { history } = await model.fit(x, y, { epochs: 2 });
    assert.equal(history.loss[0], history.loss[1]);
  });
  assert.match(messages.join(), /no trainable weights/);
  assert.equal(messages.length, 1);
});

test('stateful layers keep their states over batches and epochs; the trial run does not change them', async () => {
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
  // Outputs count all steps so far: 3 and 6 in the first epoch, 9 and 12 in the second.
  assert.deepEqual(history.loss, [(9 + 36) / 2, (81 + 144) / 2]);
});
