// SPDX-License-Identifier: MIT
// The lines that people who come from TensorFlow.js write first: each works, or its error names the
// line to write.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { reactive } from '@vue/reactivity';
import * as mf from '../../dist/train.js';
import { close } from '../support/watch.js';

const { callbacks, Input, layers, Layer, loadModel, Model, ops, optimizers, Sequential } = mf;
const { tensor, tidy } = mf;
let model;
let x;
const xs = () => ops.ones([4, 3, 2]);
const ys = () => ops.zeros([4, 1]);

before(async () => {
  await mf.ready({ seed: 1, onMaskDropped: 'warn' });
  x = tensor([
    [1, 2],
    [3, 4],
  ]);
  model = new Sequential([
    Input({ shape: [null, 2] }),
    layers.lstm({ units: 2 }),
    layers.dense({ units: 1, activation: 'sigmoid' }),
  ]);
  model.compile({ optimizer: 'adam', loss: 'binaryCrossentropy', metrics: ['accuracy'] });
});

/** Returns what `f` writes to the console as a warning. */
async function warningsOf(f) {
  const { warn } = console;
  const texts = [];
  console.warn = (text) => texts.push(text);
  try {
    await f();
  } finally {
    console.warn = warn;
  }
  return texts;
}

test('callbacks: { onEpochEnd }', async () => {
  const epochs = [];
  const onEpochEnd = (epoch) => void epochs.push(epoch);
  await model.fit(xs(), ys(), { epochs: 2, verbose: 0, callbacks: { onEpochEnd } });
  assert.deepEqual(epochs, [0, 1]);
});

test('axes and shapes by position', () => {
  assert.deepEqual(x.sum(1).array(), [3, 7]);
  assert.deepEqual(ops.softmax(x, 0).shape, [2, 2]);
  assert.deepEqual(ops.concatenate([x, x], 0).shape, [4, 2]);
  assert.deepEqual(ops.ones([1, 2]).squeeze([0]).shape, [2]);
  assert.deepEqual(tensor([1, 2, 3, 4], [2, 2]).array(), x.array());
});

test("addWeight('w', shape, dtype, initializer)", () => {
  class Scale extends Layer {
    build() {
      this.w = this.addWeight('w', [2], 'float32', 'zeros');
    }
    call(inputs) {
      return inputs;
    }
  }
  assert.throws(() => new Scale().apply(x), /addWeight\(\{ name: 'w', shape: \[2, 3\] \}\)/);
});

test('optimizers.adam(0.001)', () => {
  close([optimizers.adam(0.001).learningRate], [0.001], 1e-9);
});

test('lstm.apply([x, h, c])', () => {
  const [h, c] = [ops.ones([1, 2]), ops.zeros([1, 2])];
  const lstm = layers.lstm({ units: 2 });
  const step = ops.ones([1, 2, 2]);
  assert.throws(() => lstm.apply([step, h, c]), /apply\(x, \{ initialState: \[h\] \}\)/);
  assert.deepEqual(lstm.apply(step, { initialState: [h, c] }).shape, [1, 2]);
});

test('predict of one sequence without a batch', () => {
  const sequence = [
    [1, 2],
    [3, 4],
  ];
  assert.throws(() => model.predict(sequence), /one sequence needs a batch axis, \[x\]/);
  assert.deepEqual(model.predict([sequence]).shape, [1, 1]);
});

for (const [name, remedy] of [
  ['globalMaxPool1d', /layers\.globalMaxPooling1D\(/],
  ['input', /Input\(\{ shape: \[10\] \}\)/],
  ['textVectorization', /new TextVectorization\(.*maskflow\/text/],
]) {
  test(`layers.${name}`, () => {
    assert.throws(() => layers[name]({}), remedy);
  });
}

for (const [name, remedy] of Object.entries({
  tensor2d: 'tensor([[1, 2], [3, 4]])',
  multinomial: 'random.categorical(logits, 1)',
  buffer: 'tensor(numbers, [2, 3])',
})) {
  test(`ops.${name}()`, () => {
    assert.throws(
      () => ops[name](),
      ({ message }) => message.includes(`write ${remedy}`),
    );
  });
}

for (const [name, remedy] of Object.entries({
  mul: 'x.multiply(y)',
  sub: 'x.subtract(y)',
  div: 'x.divide(y)',
  argMax: 'x.argmax(-1)',
  print: 'console.log(String(x))',
  dataSync: 'x.data()',
  gather: 'x.take(i, { axis: 0 })',
  as2D: 'x.reshape([2, 3])',
})) {
  test(`${name}()`, () => {
    assert.throws(
      () => x[name](),
      ({ message }) => message.includes(`write ${remedy}`),
    );
  });
}

test('oneHot, stack', () => {
  assert.deepEqual(ops.oneHot(tensor([1], { dtype: 'int32' }), 3).array(), [[0, 1, 0]]);
  assert.deepEqual(ops.stack([x, x]).shape, [2, 2, 2]);
});

test('fitDataset', () => {
  assert.throws(() => model.fitDataset(), /write model\.fit\(batches, \{ epochs: 1 \}\)/);
});

test('a generator of { xs, ys }', async () => {
  function* batches() {
    yield { xs: xs(), ys: ys() };
  }
  const { history } = await model.fit(batches, undefined, { epochs: 1, verbose: 0 });
  assert.equal(history.loss.length, 1);
});

test('loadModel({ modelTopology, weightSpecs, weightData })', async () => {
  const files = await model.saveTfjs();
  const json = new TextDecoder().decode(files.get('model.json'));
  const { modelTopology, weightsManifest } = JSON.parse(json);
  const [{ paths, weights: weightSpecs }] = weightsManifest;
  assert.equal(paths.length, 1);
  const { buffer, byteOffset, byteLength } = files.get(paths[0]);
  const weightData = buffer.slice(byteOffset, byteOffset + byteLength);
  const loaded = await loadModel({ modelTopology, weightSpecs, weightData });
  close(loaded.predict(xs()).array(), model.predict(xs()).array(), 0);
});

test('localstorage:// and downloads://', async () => {
  await assert.rejects(loadModel('localstorage://m'), /indexeddb:\/\/name/);
  await assert.rejects(async () => model.save('downloads://m'), /save\('model\.keras'\)/);
});

test('tidy(async …)', () => {
  assert.throws(() => tidy(async () => x), /await outside/);
});

test("history.acc, and earlyStopping({ monitor: 'acc' })", async () => {
  const { history } = await model.fit(xs(), ys(), { epochs: 1, verbose: 0 });
  assert.deepEqual(Object.keys(history).sort(), ['accuracy', 'loss']);
  const stop = callbacks.earlyStopping({ monitor: 'acc' });
  const warnings = await warningsOf(() =>
    model.fit(xs(), ys(), { epochs: 1, verbose: 0, callbacks: [stop] }),
  );
  assert.match(warnings.join(), /'acc' is missing; the logs have accuracy, loss/);
});

test('Adam has the epsilon of Keras, 1e-7', () => {
  assert.equal(optimizers.adam().getConfig().epsilon, 1e-7);
});

test('predict([rowsA, rowsB]) of a model with two inputs', () => {
  const [a, b] = [Input({ shape: [2] }), Input({ shape: [3] })];
  const joined = new Model({ inputs: [a, b], outputs: layers.concatenate().apply([a, b]) });
  assert.deepEqual(joined.predict([[[1, 2]], [[3, 4, 5]]]).array(), [[1, 2, 3, 4, 5]]);
});

test('objects in the state of Vue', () => {
  const state = reactive({
    model,
    optimizer: optimizers.adam(),
    metric: mf.metrics.mean(),
    stream: new Sequential([Input({ shape: [null, 2] }), layers.lstm({ units: 2 })]).stream(),
  });
  assert.deepEqual(state.model.predict(xs()).shape, [4, 1]);
  assert.deepEqual(state.stream.step(ops.ones([1, 2])).shape, [1, 2]);
  assert.equal(state.optimizer.name, 'adam');
  assert.equal(state.metric.name, 'mean');
});

test('a model whose layer loses masks warns once in thirty predictions', async () => {
  const warnings = await warningsOf(() => {
    const loses = new Sequential([
      Input({ shape: [4], dtype: 'int32' }),
      layers.embedding({ inputDim: 5, outputDim: 2, maskZero: true }),
      layers.flatten(),
    ]);
    for (let i = 0; i < 30; i++) loses.predict(ops.ones([1, 4], { dtype: 'int32' }));
  });
  assert.equal(warnings.length, 1);
});

test('functions and classes have their names', () => {
  assert.equal(layers.lstm.name, 'lstm');
  assert.equal(new Sequential().constructor.name, 'Sequential');
});
