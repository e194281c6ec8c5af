// SPDX-License-Identifier: MIT
// Layers of maskflow/text that read numbers, in models that a program makes: they are layers of the
// graph, saved, loaded and trained with it.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import {
  cloneModel,
  Input,
  layers,
  loadModel,
  Model,
  ready,
  Sequential,
  tensor,
} from '../../dist/train.js';
import { HashedCrossing, Hashing, IntegerLookup, StringLookup } from '../../dist/text.js';

before(() => ready({ seed: 1 }));

const embedding = () => layers.embedding({ inputDim: 8, outputDim: 2 });
const ints = (name) => Input({ shape: [1], dtype: 'int32', ...(name && { name }) });

/** Asserts that a model and its file predict the same, and returns what they predict. */
async function predictionOf(model, x) {
  const expected = model.predict(x).array();
  const copy = await loadModel(await model.save());
  assert.deepEqual(copy.predict(x).array(), expected);
  return expected;
}

suite('layers of maskflow/text that read numbers', () => {
  test('IntegerLookup begins a Sequential, also by add()', async () => {
    const lookup = () => new IntegerLookup({ vocabulary: [10, 20] });
    const model = new Sequential([lookup(), embedding(), layers.gru({ units: 2 })]);
    assert.equal(model.constructor, Sequential);
    await predictionOf(model, [[20, 5]]);
    assert.deepEqual(cloneModel(model).predict([[20, 5]]).shape, [1, 2]);
    const added = new Sequential();
    added.add(Input({ shape: [2], dtype: 'int32' }));
    added.add(lookup());
    assert.deepEqual(await predictionOf(added, [[20, 5]]), [[2, 0]]);
  });

  test('a vocabulary from adapt is saved', async () => {
    const lookup = new IntegerLookup();
    lookup.adapt([[3, 3, 9]]);
    const x = Input({ shape: [null], dtype: 'int32' });
    const model = new Model({ inputs: x, outputs: lookup.apply(x) });
    assert.deepEqual(await predictionOf(model, [[3, 9, 7]]), [[1, 2, 0]]);
    const copy = Model.fromConfig(JSON.parse(JSON.stringify(model.getConfig())));
    assert.deepEqual(copy.predict([[9]]).array(), [[2]]);
  });

  test('one layer serves two inputs', async () => {
    const lookup = new IntegerLookup({ vocabulary: [10, 20] });
    const [a, b] = ['a', 'b'].map(ints);
    const sum = layers.add().apply([lookup.apply(a), lookup.apply(b)]);
    const model = new Model({ inputs: { a, b }, outputs: sum });
    assert.deepEqual(await predictionOf(model, { a: [[10]], b: [[20]] }), [[3]]);
    assert.equal(model.layers.filter(({ className }) => className === 'IntegerLookup').length, 1);
  });

  test('HashedCrossing and Hashing of numbers compute what they do outside of graphs', async () => {
    const cross = new HashedCrossing({ numBins: 8 });
    const hash = new Hashing({ numBins: 8 });
    const [a, b] = ['a', 'b'].map(ints);
    const crossed = new Model({ inputs: [a, b], outputs: cross.apply([a, b]) });
    const columns = [
      [[1], [2]],
      [[3], [4]],
    ];
    const dtype = 'int32';
    assert.deepEqual(
      await predictionOf(crossed, columns),
      cross.apply(columns.map((column) => tensor(column, { dtype }))).array(),
    );
    const hashed = new Model({ inputs: a, outputs: hash.apply(a) });
    assert.deepEqual(await predictionOf(hashed, [[7], [8]]), hash.apply([[7], [8]]).array());
  });

  test('the layers behind it train', async () => {
    const model = new Sequential([
      new IntegerLookup({ vocabulary: [4] }),
      embedding(),
      layers.gru({ units: 1 }),
    ]);
    model.compile({ optimizer: 'sgd', loss: 'mse' });
    const x = tensor(
      [
        [4, 4],
        [5, 4],
      ],
      { dtype: 'int32' },
    );
    const { history } = await model.fit(x, tensor([[0], [1]]), { epochs: 5, verbose: 0 });
    assert.ok(history.loss.at(-1) < history.loss[0]);
  });

  test('what cannot be: no vocabulary, strings, a layer of strings behind', () => {
    const x = ints();
    assert.throws(() => new IntegerLookup().apply(x), { name: 'StateError', message: /adapt\(\)/ });
    const strings = Input({ shape: [1], dtype: 'string' });
    assert.throws(() => new IntegerLookup({ vocabulary: [4] }).apply(strings), {
      name: 'ValueError',
      message: /needs numbers/,
    });
    const lookup = new IntegerLookup({ vocabulary: [4] });
    const words = new StringLookup({ vocabulary: ['a'] });
    assert.throws(() => new Sequential([lookup, words]), { message: /must be the first layer/ });
  });
});
