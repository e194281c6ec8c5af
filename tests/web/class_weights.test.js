// SPDX-License-Identifier: MIT
// `classWeight` weighs each step by its class if y has a class for each step.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Input, layers, Model, ready, Sequential, tensor } from '../../dist/train.js';

before(() => ready({ seed: 1 }));

const classWeight = { 0: 0.5, 1: 2, 2: 7 };
const labels = [
  [0, 1, 2, 1],
  [2, 2, 0, 0],
  [1, 0, 1, 2],
];
const binary = labels.map((row) => row.map((label) => Math.min(label, 1)));
const weightsOf = (rows) => rows.map((row) => row.map((label) => classWeight[label]));
const oneHot = (rows) =>
  rows.map((row) => row.map((label) => [0, 1, 2].map((i) => +(i === label))));
const x = [
  [[1], [2], [-1], [0.5]],
  [[0.2], [-2], [1], [3]],
  [[-0.4], [0.1], [2], [-3]],
];

class Own extends Model {
  constructor(units) {
    super();
    this.out = layers.dense({ units, activation: units === 1 ? 'sigmoid' : 'softmax' });
  }
  call(inputs) {
    return this.out.apply(inputs);
  }
}
const dense = (units) =>
  layers.dense({ units, activation: units === 1 ? 'sigmoid' : 'softmax', name: 'out' });
const models = {
  'a functional model'(units) {
    const input = Input({ shape: [null, 1] });
    return new Model({ inputs: input, outputs: dense(units).apply(input) });
  },
  'a Sequential': (units) => new Sequential([Input({ shape: [4, 1] }), dense(units)]),
  'a Sequential without Input': (units) => new Sequential([dense(units)]),
  'a class of models': (units) => new Own(units),
};
const forms = {
  'sparse labels': [3, 'sparse_categorical_crossentropy', labels],
  'sparse labels with a last axis': [
    3,
    'sparse_categorical_crossentropy',
    labels.map((row) => row.map((label) => [label])),
  ],
  'one-hot rows': [3, 'categorical_crossentropy', oneHot(labels)],
  'labels of a sigmoid': [1, 'binary_crossentropy', binary],
};

for (const [what, make] of Object.entries(models)) {
  describe(what, () => {
    for (const [form, [units, loss, y]] of Object.entries(forms)) {
      test(`weighs each step of ${form}`, async () => {
        const model = make(units);
        model.compile({ optimizer: 'sgd', loss });
        model.predict(x);
        const start = model.getWeights();
        const sampleWeight = weightsOf(units === 1 ? binary : labels);
        // With a loss of steps, targets have the rank of the output.
        const targets = units === 1 ? y.map((row) => row.map((label) => [label])) : y;
        const expected = await model.trainOnBatch(x, targets, { sampleWeight });
        const weights = model.getWeights();
        const same = (actual) => {
          assert.ok(Math.abs(actual - expected.loss) < 1e-6, `${actual}, not ${expected.loss}`);
          assert.deepEqual(model.getWeights(), weights);
          model.setWeights(start);
        };
        model.setWeights(start);
        same((await model.trainOnBatch(x, y, { classWeight })).loss);
        const options = { batchSize: 3, shuffle: false, classWeight };
        same((await model.fit(x, y, options)).history.loss[0]);
        const batches = () => [[tensor(x), tensor(y)]];
        same((await model.fit(batches, { classWeight })).history.loss[0]);
        const unweighted = await model.trainOnBatch(x, targets);
        assert.ok(Math.abs(unweighted.loss - expected.loss) > 0.1);
      });
    }
  });
}

test('a class for each sample is weighed as in Keras', async () => {
  const y = [0, 2, 1];
  for (const [loss, targets] of [
    ['sparse_categorical_crossentropy', y],
    ['sparse_categorical_crossentropy', y.map((label) => [label])],
    ['categorical_crossentropy', oneHot([y])[0]],
  ]) {
    const model = new Sequential([Input({ shape: [1] }), dense(3)]);
    model.compile({ optimizer: 'sgd', loss });
    const rows = [[1], [2], [-1]];
    const start = model.getWeights();
    const expected = await model.trainOnBatch(rows, targets, { sampleWeight: [0.5, 7, 2] });
    model.setWeights(start);
    assert.equal((await model.trainOnBatch(rows, targets, { classWeight })).loss, expected.loss);
  }
});

test('masks remove steps, and classes weigh the others', async () => {
  const input = Input({ shape: [null], dtype: 'int32' });
  const embedding = layers.embedding({ inputDim: 5, outputDim: 2, maskZero: true });
  const model = new Model({ inputs: input, outputs: dense(3).apply(embedding.apply(input)) });
  model.compile({ optimizer: 'sgd', loss: 'sparse_categorical_crossentropy' });
  const ids = [
    [1, 2, 3, 0],
    [4, 0, 0, 0],
  ];
  const y = [
    [0, 1, 2, 0],
    [2, 2, 0, 0],
  ];
  const { loss } = await model.testOnBatch(ids, y, { sampleWeight: weightsOf(y) });
  assert.equal((await model.testOnBatch(ids, y, { classWeight })).loss, loss);
  const outputs = model.predict(ids);
  // By hand: kept steps alone, divided by their number.
  let sum = 0;
  for (const [row, step] of [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 0],
  ]) {
    const label = y[row][step];
    sum -= classWeight[label] * Math.log(outputs.array()[row][step][label]);
  }
  assert.ok(Math.abs(sum / 4 - loss) < 1e-5, `${sum / 4} ${loss}`);
});
