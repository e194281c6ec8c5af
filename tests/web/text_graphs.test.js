// SPDX-License-Identifier: MIT
// Models that read strings and are made here: as a Sequential, and as a graph from a string Input.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { Hashing, StringLookup, TextVectorization } from '../../dist/text.js';

const { Input, layers, loadModel, Model, Sequential, tensor } = mf;
await mf.ready({ seed: 3 });

const texts = ['a good film', 'a bad bad film', 'good', 'what a bad film'];
const y = tensor([[1], [0], [1], [0]]);
const vectorizer = (settings = {}) =>
  new TextVectorization({ vocabulary: ['a', 'good', 'bad', 'film'], ...settings });
const numbers = (words) =>
  new Sequential([
    layers.embedding({ inputDim: words.vocabularySize(), outputDim: 3, maskZero: true }),
    layers.gru({ units: 3 }),
    layers.dense({ units: 1, activation: 'sigmoid' }),
  ]);
const close = (a, b) =>
  a.array().forEach(([value], i) => {
    assert.ok(Math.abs(value - b.array()[i][0]) < 1e-6, `${a} ${b}`);
  });

describe('new Sequential([vectorizer, …])', () => {
  test('predicts from texts what its layers predict from ids', () => {
    const words = vectorizer();
    const inner = numbers(words);
    const model = new Sequential([words, inner]);
    const expected = inner.predict(words.apply(texts));
    close(model.predict(texts), expected);
    close(model.predict(texts.map((text) => [text])), expected);
    close(model.apply(texts), expected);
    assert.equal(model.weights.length, inner.weights.length);
    assert.deepEqual(model.textLayers, [words]);
    assert.match(String(model.summary()), /text_vectorization/);
  });

  test('has no clone, but the copy that the error names', async () => {
    const words = vectorizer();
    const model = new Sequential([words, numbers(words)]);
    assert.throws(
      () => mf.cloneModel(model),
      /^UnsupportedError: 'sequential\w*' reads texts; copy it with loadModel\(await model\.save\(\)\)$/,
    );
    close((await loadModel(await model.save())).predict(texts), model.predict(texts));
  });

  test('accepts an Input of strings first, and any number of rows', () => {
    for (const shape of [[1], []]) {
      const words = vectorizer();
      const inner = numbers(words);
      const input = Input({ shape, dtype: 'string', name: 'review' });
      const model = new Sequential([input, words, ...inner.layers], { name: 'whole' });
      assert.equal(model.name, 'whole');
      close(model.predict(texts), inner.predict(words.apply(texts)));
      assert.equal(model.predict([texts[0]]).shape[0], 1);
    }
  });

  test('trains, evaluates and validates on texts', async () => {
    const words = vectorizer();
    const model = new Sequential([words, numbers(words)]);
    model.compile({ optimizer: 'adam', loss: 'binaryCrossentropy', metrics: ['accuracy'] });
    const before = model.evaluate(texts, y).loss;
    const options = { epochs: 30, validationData: [texts, y] };
    const { history } = await model.fit(texts, y, options);
    assert.equal(history.val_loss.length, 30);
    assert.ok(model.evaluate(texts, y).loss < before);
    const tensors = mf.memory().tensors;
    await model.fit(
      () => [
        [texts, y],
        [texts.slice(1), [[0], [1], [0]]],
      ],
      { epochs: 2 },
    );
    await model.trainOnBatch(texts, y);
    await model.testOnBatch(texts, y);
    assert.ok(mf.memory().tensors - tensors <= 2);
  });

  test('is saved and loaded, with the vocabulary of the moment', async () => {
    const words = vectorizer();
    const inner = numbers(vectorizer({ vocabulary: ['a', 'b', 'c', 'd', 'e', 'f'] }));
    const model = new Sequential([words, inner]);
    model.predict(texts);
    words.setVocabulary(['film', 'a', 'good', 'bad']);
    const copy = await loadModel(await model.save());
    assert.deepEqual(copy.textLayers[0].getVocabulary(), words.getVocabulary());
    close(copy.predict(texts), model.predict(texts));
    close(copy.predict(texts), inner.predict(words.apply(texts)));
  });

  test('works with hashes, lookups and text layers alone', () => {
    const hash = new Hashing({ numBins: 5 });
    const model = new Sequential([hash, layers.embedding({ inputDim: 5, outputDim: 2 })]);
    assert.deepEqual(model.predict([['a'], ['b']]).shape, [2, 1, 2]);
    const alone = new Sequential([new StringLookup({ vocabulary: ['x', 'y'] })]);
    assert.deepEqual(alone.predict([['y'], ['z']]).array(), [[2], [0]]);
  });

  test('refuses what it cannot be, with the remedy', () => {
    const words = vectorizer();
    class Own extends Sequential {}
    assert.throws(() => new Own([words]), /new Sequential\(\[vectorizer, model\]\)/);
    assert.throws(() => new Sequential([layers.flatten(), words]), mf.ConfigError);
    assert.throws(() => new Sequential([words, layers.flatten(), words]), mf.ConfigError);
    const added = new Sequential();
    assert.throws(
      () => added.add(words),
      /pass all layers at once: new Sequential\(\[vectorizer, …\]\)/,
    );
    const empty = new TextVectorization();
    assert.throws(() => new Sequential([empty, layers.flatten()]), mf.StateError);
    assert.throws(() => Input({ dtype: 'string' }), /shape: \[1\], dtype: 'string'/);
    const twice = [words, vectorizer()];
    assert.throws(() => new Sequential(twice), /are called 'text_vectorization'/);
  });
});

describe('a graph from Input({ dtype: "string" })', () => {
  const make = () => {
    const title = Input({ shape: [1], dtype: 'string', name: 'title' });
    const price = Input({ shape: [2], name: 'price' });
    const words = vectorizer({ outputSequenceLength: 4 });
    const tags = new StringLookup({
      vocabulary: ['a', 'good'],
      name: 'tags',
      outputMode: 'multi_hot',
    });
    const ids = words.apply(title);
    assert.deepEqual(ids.shape, [null, 4]);
    const embedded = layers.embedding({ inputDim: 6, outputDim: 2, maskZero: true }).apply(ids);
    const both = layers
      .concatenate()
      .apply([layers.lstm({ units: 2 }).apply(embedded), price, tags.apply(title)]);
    const outputs = layers.dense({ units: 1 }).apply(both);
    return { title, price, outputs, words };
  };
  const prices = [
    [1, 2],
    [3, 4],
    [5, 6],
    [7, 8],
  ];

  test('predicts, trains, is saved and loaded', async () => {
    const { title, price, outputs } = make();
    const model = new Model({ inputs: [title, price], outputs, name: 'shop' });
    const expected = model.predict([texts, tensor(prices)]);
    assert.deepEqual(expected.shape, [4, 1]);
    model.compile({ optimizer: 'sgd', loss: 'mse' });
    await model.fit([texts, tensor(prices)], y, { epochs: 2 });
    const copy = await loadModel(await model.save());
    close(copy.predict([texts, tensor(prices)]), model.predict([texts, tensor(prices)]));
    assert.equal(copy.textLayers.length, 2);
    assert.match(String(model.summary()), /title/);
  });

  test('accepts a dictionary of inputs', async () => {
    const { title, price, outputs } = make();
    const model = new Model({ inputs: { price, title }, outputs });
    const values = { title: texts, price: tensor(prices) };
    const copy = await loadModel(await model.save());
    close(copy.predict(values), model.predict(values));
  });

  test('shares a layer between two inputs', async () => {
    const words = vectorizer({ outputSequenceLength: 3 });
    const [a, b] = ['a', 'b'].map((name) => Input({ shape: [1], dtype: 'string', name }));
    const [x, z] = [a, b].map((input) => words.apply(input));
    const model = new Model({ inputs: [a, b], outputs: layers.concatenate().apply([x, z]) });
    const expected = [[2, 3, 5, 3, 0, 0]];
    assert.deepEqual(model.predict([['a good film'], ['good']]).array(), expected);
    const copy = await loadModel(await model.save());
    assert.deepEqual(copy.predict([['a good film'], ['good']]).array(), expected);
  });
});

describe('a model of texts in a Sequential', () => {
  const make = () => {
    const words = vectorizer();
    return new Sequential([words, numbers(words)]);
  };

  test('comes first, and makes a model that reads texts', async () => {
    const loaded = await loadModel(await make().save());
    for (const inner of [make(), loaded]) {
      const dense = layers.dense({ units: 1 });
      const model = new Sequential([inner, dense]);
      const expected = dense.apply(inner.predict(texts));
      close(model.predict(texts), expected);
      close(new Sequential([model, layers.rescaling({ scale: 1 })]).predict(texts), expected);
      model.compile({ optimizer: 'sgd', loss: 'mse' });
      await model.fit(texts, y, { epochs: 2 });
      close(model.predict(texts), dense.apply(inner.predict(texts))); // the layers are shared
      close((await loadModel(await model.save())).predict(texts), model.predict(texts));
    }
  });

  test('is refused elsewhere, with a remedy that works', () => {
    const inner = make();
    const dense = layers.dense({ units: 1 });
    const refuses = (f, message) => assert.throws(f, { name: 'ConfigError', message });
    const remedy = /new Sequential\(\[model, …\]\)$/;
    refuses(() => new Sequential().add(inner), remedy);
    refuses(() => new Sequential([dense, inner]), remedy);
    refuses(() => new Sequential([vectorizer(), inner]), remedy);
    refuses(() => inner.add(dense), /write new Sequential\(\[model, layer\]\)$/);
    const expected = new Sequential([inner, dense]).predict(texts);
    const input = Input({ shape: [1], dtype: 'string' });
    refuses(() => inner.apply(input), /for \(const layer of \[\.\.\.model\.textLayers/);
    let x = input;
    for (const layer of [...inner.textLayers, ...inner.layers]) x = layer.apply(x);
    close(new Model({ inputs: input, outputs: dense.apply(x) }).predict(texts), expected);
    const words = vectorizer();
    const other = Input({ shape: [1], dtype: 'string' });
    const output = numbers(words).apply(words.apply(other));
    const graph = new Model({ inputs: other, outputs: output });
    refuses(() => new Sequential([graph, dense]), /begin the new model with its inputs/);
  });
});
