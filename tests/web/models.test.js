// SPDX-License-Identifier: MIT
// Sequential, functional, nested and subclassed models: predict, layers, summary and serialization.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { close, leavesNothing, letters, rows, collectWarnings } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'warn', maskPropagation: 'keras-3.15' }));

const { Input, layers, Model, ops, Sequential, tensor } = mf;
const ids = (
  values = [
    [1, 2, 0],
    [3, 0, 0],
  ],
) => tensor(values, { dtype: 'int32' });
const longer = () =>
  ids([
    [1, 2, 0, 0, 0],
    [3, 0, 0, 0, 0],
  ]);
const embedding = (config) =>
  layers.embedding({ inputDim: 10, outputDim: 4, maskZero: true, ...config });
const idInput = (name) => Input({ shape: [null], dtype: 'int32', ...(name && { name }) });
const classes = (model) => model.layers.map((layer) => layer.className);

const classifier = () =>
  new Sequential([
    embedding(),
    layers.lstm({ units: 3 }),
    layers.dense({ units: 2, activation: 'softmax' }),
  ]);

test('Sequential runs its layers one after the other', () => {
  const [first, second] = [layers.dense({ units: 3 }), layers.dense({ units: 2 })];
  const model = new Sequential([first, second]);
  assert.deepEqual(model.predict([[1, 2]]).array(), second.apply(first.apply([[1, 2]])).array());
  assert.deepEqual(model.layers, [first, second]);
  assert.deepEqual(
    [model.getLayer(0), model.getLayer(-1), model.getLayer(second.name)],
    [first, second, second],
  );
  assert.throws(() => model.getLayer('absent'), /'absent'.*dense/);
});

test('Sequential supports add and pop; after an Input, the weights exist at once', () => {
  const model = new Sequential([Input({ shape: [4] }), layers.dense({ units: 3 })], {
    name: 'stack',
  });
  assert.equal(model.name, 'stack');
  assert.deepEqual(
    model.weights.map((w) => w.shape),
    [[4, 3], [3]],
  );
  model.add(layers.dense({ units: 2 }));
  assert.deepEqual(
    model.weights.map((w) => w.shape),
    [[4, 3], [3], [3, 2], [2]],
  );
  assert.deepEqual(
    [model.inputs[0].shape, model.outputs[0].shape],
    [
      [null, 4],
      [null, 2],
    ],
  );
  model.pop();
  assert.deepEqual(model.predict(ops.ones([1, 4])).shape, [1, 3]);
  const open = new Sequential([layers.dense({ units: 3 })]);
  assert.deepEqual(open.weights, []);
  assert.throws(() => open.inputs, mf.StateError);
  assert.throws(
    () => new Sequential([Input({ shape: [4] }), layers.lstm({ units: 1 })]),
    mf.ShapeError,
  );
});

test('Sequential and functional models with the same weights have equal results', () => {
  const sequential = classifier();
  const expected = sequential.predict(ids()).array();
  const input = idInput();
  let outputs = input;
  for (const layer of sequential.layers) outputs = layer.apply(outputs);
  const functional = new Model({ inputs: input, outputs });
  assert.deepEqual(functional.predict(ids()).array(), expected);
  assert.deepEqual(functional.predict(longer()).array(), expected, 'padding does not count');
  assert.deepEqual(classes(functional), ['InputLayer', ...classes(sequential)]);
});

test('several inputs and outputs may be lists', () => {
  const [a, b] = [Input({ shape: [2], name: 'a' }), Input({ shape: [2], name: 'b' })];
  const model = new Model({ inputs: [a, b], outputs: [ops.add(a, b), ops.subtract(a, b)] });
  const data = [tensor([[1, 2]]), tensor([[10, 20]])];
  assert.deepEqual(
    model.predict(data).map((y) => y.array()),
    [[[11, 22]], [[-9, -18]]],
  );
  assert.deepEqual(model.apply(data)[1].array(), [[-9, -18]]);
  assert.throws(() => model.predict(data[0]), /2 inputs.*given 1/);
});

test('several inputs and outputs may be dictionaries, in any order of keys', () => {
  const [a, b] = [Input({ shape: [2], name: 'a' }), Input({ shape: [2], name: 'b' })];
  const model = new Model({
    inputs: { a, b },
    outputs: { sum: ops.add(a, b), rest: ops.subtract(a, b) },
  });
  const inputs = { b: tensor([[10, 20]]), a: tensor([[1, 2]]) };
  for (const results of [model.predict(inputs), model.apply({ b: [[10, 20]], a: [[1, 2]] })]) {
    assert.deepEqual(Object.keys(results), ['rest', 'sum']);
    assert.deepEqual([results.sum.array(), results.rest.array()], [[[11, 22]], [[-9, -18]]]);
  }
  const copy = Model.fromConfig(JSON.stringify(model));
  assert.deepEqual(copy.predict(inputs).rest.array(), [[-9, -18]]);
});

test('a shared layer counts once, and both calls use its weights', () => {
  const sharedDense = layers.dense({ units: 2 });
  const [a, b] = [Input({ shape: [2] }), Input({ shape: [2] })];
  const model = new Model({
    inputs: [a, b],
    outputs: ops.subtract(sharedDense.apply(a), sharedDense.apply(b)),
  });
  const copy = Model.fromConfig(model.toJSON());
  for (const each of [model, copy]) {
    assert.deepEqual(each.predict([tensor([[1, 2]]), tensor([[1, 2]])]).array(), [[0, 0]]);
    assert.deepEqual([each.weights.length, each.layers.length], [2, 3]);
  }
});

test('a nested model keeps its layers, weights and masks', () => {
  const inner = new Sequential([embedding(), layers.gru({ units: 3, returnSequences: true })], {
    name: 'inner',
  });
  const input = idInput();
  const outputs = layers.lstm({ units: 2, name: 'outer' }).apply(inner.apply(input));
  const model = new Model({ inputs: input, outputs });
  assert.deepEqual(model.predict(longer()).array(), model.predict(ids()).array());
  assert.equal(model.getLayer('inner'), inner);
  assert.deepEqual(
    model.weights.map((w) => w.path.split('/')[1]),
    ['inner', 'inner', 'inner', 'inner', 'outer', 'outer', 'outer'],
  );
  const copy = Model.fromConfig(JSON.stringify(model));
  copy.setWeights(model.getWeights());
  assert.deepEqual(copy.predict(ids()).array(), model.predict(ids()).array());
  assert.deepEqual(classes(copy.getLayer('inner')), ['Embedding', 'GRU']);
});

class Tagger extends Model {
  constructor({ units = 3, ...config } = {}) {
    super(config);
    this.units = units;
    this.embedding = embedding();
    this.lstm = layers.lstm({ units, returnSequences: true });
  }
  call(inputs, { mask }) {
    this.sawMask = mask !== null;
    return this.lstm.apply(this.embedding.apply(inputs));
  }
  getConfig() {
    return { ...super.getConfig(), units: this.units };
  }
}

test('a subclassed model predicts, lists its layers, and can be loaded if registered', () => {
  mf.registerLayer(Tagger);
  const model = new Tagger({ units: 2 });
  assert.deepEqual(model.predict(ids()).shape, [2, 3, 2]);
  assert.deepEqual([classes(model), model.weights.length], [['Embedding', 'LSTM'], 4]);
  assert.deepEqual(letters(model.apply(ids()).mask), ['TTF', 'TFF']);
  assert.throws(() => model.inputs, mf.StateError);
  const copy = mf.deserializeLayer(JSON.parse(JSON.stringify(model)));
  assert.ok(copy instanceof Tagger);
  copy.build([null, null]);
  copy.predict(ids());
  copy.setWeights(model.getWeights());
  assert.deepEqual(copy.predict(ids()).array(), model.predict(ids()).array());
  assert.equal(Tagger.fromConfig(model.getConfig()).units, 2);
});

test('a subclassed model can be part of a functional one', () => {
  const input = idInput();
  const tagger = new Tagger();
  const model = new Model({
    inputs: input,
    outputs: layers.dense({ units: 1 }).apply(tagger.apply(input)),
  });
  assert.deepEqual(model.predict(ids()).shape, [2, 3, 1]);
});

test('a model accepts masks: attached, explicit, in lists and dictionaries, without a warning', () => {
  const sequence = (name) => Input({ shape: [null, 2], name });
  const lstm = () => layers.lstm({ units: 2, returnSequences: true });
  const x = ops.reshape(ops.arange(12, { dtype: 'float32' }), [2, 3, 2]);
  const mask = rows('TTF TFF');
  const single = new Sequential([lstm()]);
  const listModel = (({ a, b }) =>
    new Model({ inputs: [a, b], outputs: [lstm().apply(a), lstm().apply(b)] }))({
    a: sequence('a'),
    b: sequence('b'),
  });
  const [a, b] = [sequence('a'), sequence('b')];
  const dictionaryModel = new Model({
    inputs: { a, b },
    outputs: { a: lstm().apply(a), b: lstm().apply(b) },
  });
  const { result, warnings } = collectWarnings(() => [
    single.apply(x.withMask(mask)),
    single.apply(x, { mask }),
    listModel.apply([x, x], { mask: [null, mask] })[1],
    dictionaryModel.apply({ a: x, b: x }, { mask: { b: mask } }).b,
  ]);
  for (const y of result) assert.deepEqual(letters(y.mask), ['TTF', 'TFF']);
  assert.deepEqual(result[0].array(), result[1].array());
  assert.deepEqual(warnings, []);
  assert.throws(() => dictionaryModel.apply({ a: x, b: x }, { mask: { c: mask } }), /'c'.*a, b/);
});

test('predict returns the same rows, without a mask, for any batch size', () => {
  const model = classifier();
  const data = tensor(
    Int32Array.from({ length: 70 * 5 }, (_, i) => (i * 7) % 10),
    { shape: [70, 5] },
  );
  const oneBatch = model.predict(data, { batchSize: 0 });
  assert.equal(oneBatch.mask, null);
  for (const batchSize of [undefined, 1, 7, 32, 70, 100]) {
    close(
      model.predict(data, { batchSize }).array(),
      oneBatch.array(),
      1e-6,
      `batchSize ${batchSize}`,
    );
  }
  assert.deepEqual(model.predict(ops.zeros([0, 5], { dtype: 'int32' })).shape, [0, 2]);
  assert.equal(new Sequential([embedding()]).predict(ids()).mask, null);
  assert.notEqual(new Sequential([embedding()]).apply(ids()).mask, null);
});

test('predict splits masks, lists and dictionaries into batches', () => {
  const [a, b] = [Input({ shape: [null, 2], name: 'a' }), Input({ shape: [2], name: 'b' })];
  const y = ops.add(layers.lstm({ units: 2 }).apply(a), b);
  const model = new Model({ inputs: { a, b }, outputs: { y } });
  const sequences = ops.reshape(ops.arange(60, { dtype: 'float32' }), [10, 3, 2]);
  const inputs = {
    a: ops
      .divide(sequences, 60)
      .withMask(Array.from({ length: 10 }, (_, i) => [true, i % 2 === 0, i % 3 === 0])),
    b: ops.reshape(ops.arange(20, { dtype: 'float32' }), [10, 2]),
  };
  const { result } = collectWarnings(() =>
    [0, 1, 3, 4].map((batchSize) => model.predict(inputs, { batchSize }).y.array()),
  );
  for (const each of result) close(each, result[0]);
});

test('predict frees everything except its result', () => {
  const model = classifier();
  const data = ids();
  model.predict(data).dispose();
  leavesNothing(() => model.predict(data, { batchSize: 1 }).dispose());
});

test('summary has a row for each call of a shared layer, and counts its weights once', () => {
  const [a, b] = [Input({ shape: [3] }), Input({ shape: [3] })];
  const dense = layers.dense({ units: 3 });
  const outputs = [dense.apply(a), dense.apply(b)];
  const model = new Model({ inputs: [a, b], outputs: layers.add().apply(outputs) });
  const text = model.summary({ print: null });
  assert.equal(text.match(/\(Dense\)/g).length, 2);
  assert.match(text, /Params: 12 \(12 trainable\)/);
});

test('summary shows layers, shapes, parameters, masks, connections; it is printed once, or passed to print', () => {
  const input = idInput('words');
  const x = embedding({ name: 'vectors' }).apply(input);
  const model = new Model({
    inputs: input,
    outputs: layers.lstm({ units: 3, name: 'reader' }).apply(ops.add(x, 1)),
    name: 'leaky',
  });
  const printCalls = [];
  const text = model.summary({ print: (line) => printCalls.push(line) });
  assert.deepEqual(printCalls, [text]);
  const lines = text.split('\n').map((line) => line.split(/\s{2,}/));
  assert.equal(lines[0][0], 'Model: "leaky"');
  assert.deepEqual(lines[1], ['Layer (type)', 'Output shape', 'Params', 'Mask', 'Connected to']);
  const row = (start) => lines.find(([cell]) => cell.startsWith(start)).slice(1);
  assert.deepEqual(row('words'), ['(None, None)', '0', '–']);
  assert.deepEqual(row('vectors'), ['(None, None, 4)', '40', '✓', 'words']);
  assert.deepEqual(row('Add').slice(0, 3), ['(None, None, 4)', '0', '–']);
  assert.deepEqual(row('reader').slice(0, 3), ['(None, 3)', '96', '–']);
  assert.match(text, /Params: 136 \(136 trainable\)$/);
  const { log } = console;
  let logCalls = 0;
  console.log = () => logCalls++;
  model.summary();
  model.summary({ print: null });
  console.log = log;
  assert.equal(logCalls, 1);
});

const kinds = {
  Sequential: classifier,
  'a Sequential behind an Input': () =>
    new Sequential([
      idInput(),
      embedding(),
      layers.bidirectional({ layer: layers.gru({ units: 2 }) }),
    ]),
  Functional: () => {
    const input = idInput();
    const [y, h] = layers
      .gru({ units: 3, returnSequences: true, returnState: true })
      .apply(embedding().apply(input));
    const pooled = layers.globalAveragePooling1D().apply(y);
    return new Model({
      inputs: input,
      outputs: ops.concatenate([pooled, h], { axis: -1 }),
      name: 'pooled',
    });
  },
  'a Functional with an explicit mask': () => {
    const [words, data] = [idInput('words'), Input({ shape: [null, 2], name: 'data' })];
    const mask = ops.notEqual(words, 0);
    const y = layers.lstm({ units: 2 }).apply(data, { mask });
    return new Model({ inputs: [words, data], outputs: y });
  },
};

for (const [title, make] of Object.entries(kinds)) {
  test(`${title} survives toJSON → fromConfig and getConfig → fromConfig with equal results`, () => {
    const model = make();
    const data = title.includes('explicit')
      ? [ids(), ops.reshape(ops.arange(12, { dtype: 'float32' }), [2, 3, 2])]
      : ids();
    const expected = model.predict(data).array();
    for (const config of [
      JSON.stringify(model),
      JSON.parse(JSON.stringify(model)),
      model.getConfig(),
    ]) {
      const copy = model.constructor.fromConfig(config);
      assert.equal(copy.constructor, model.constructor);
      copy.predict(data);
      copy.setWeights(model.getWeights());
      assert.deepEqual(copy.predict(data).array(), expected);
      assert.deepEqual(copy.getConfig(), model.getConfig());
    }
  });
}

test('a subclassed model may have a setting named layers', () => {
  class Stack extends Model {
    constructor({ layers: units, ...config }) {
      super(config);
      this.units = units;
    }
  }
  assert.deepEqual(Stack.fromConfig({ layers: [32, 64], name: 'deep' }).units, [32, 64]);
});

test('weights can be copied from one model to another', () => {
  const [source, target] = [classifier(), classifier()];
  const expected = source.predict(ids()).array();
  assert.notDeepEqual(target.predict(ids()).array(), expected);
  target.setWeights(source.getWeights().map((w) => w.data()));
  assert.deepEqual(target.predict(ids()).array(), expected);
  assert.throws(() => target.setWeights(source.getWeights().slice(1)), /6 weights.*given 5/);
});

test('resetStates reaches the stateful layers inside', () => {
  const model = new Sequential([
    Input({ batchShape: [2, 3, 1] }),
    layers.gru({ units: 2, stateful: true }),
  ]);
  const x = ops.ones([2, 3, 1]);
  const [firstRun, secondRun] = [model.predict(x).array(), model.predict(x).array()];
  assert.notDeepEqual(secondRun, firstRun);
  model.resetStates();
  assert.deepEqual(model.predict(x).array(), firstRun);
});

test('a model of intermediate outputs shares the weights', () => {
  const input = idInput();
  const middle = embedding().apply(input);
  const model = new Model({ inputs: input, outputs: layers.lstm({ units: 2 }).apply(middle) });
  const part = new Model({ inputs: model.inputs, outputs: middle });
  assert.deepEqual(part.predict(ids()).array(), model.getLayer(1).apply(ids()).array());
  assert.equal(part.apply(ids()).mask.shape.length, 2);
});

test('constants may be part of a graph', () => {
  const input = Input({ shape: [2] });
  const model = new Model({
    inputs: input,
    outputs: ops.add(ops.multiply(input, tensor([[2, 3]])), 1),
  });
  assert.deepEqual(model.predict([[1, 1]]).array(), [[3, 4]]);
});

test('impossible models are refused', () => {
  const [a, b] = [Input({ shape: [2], name: 'a' }), Input({ shape: [2], name: 'b' })];
  assert.throws(
    () => new Model({ inputs: a, outputs: ops.add(b, 1) }),
    /'b'.*not an input of the model/,
  );
  assert.throws(() => new Model({ inputs: a, outputs: 3 }), mf.MaskflowError);
  assert.throws(() => new Sequential([3]), mf.ConfigError);
  assert.throws(() => new Sequential(layers.dense({ units: 1 })), mf.ConfigError);
  const model = new Model({ inputs: a, outputs: ops.add(a, 1) });
  assert.throws(() => model.predict([[1, 2, 3]]), /\(None, 2\).*\(1, 3\)/);
  assert.throws(() => model.predict([[1, 2]], { batchSize: 1.5 }), /1\.5/);
});
