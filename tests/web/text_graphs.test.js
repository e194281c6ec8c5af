// SPDX-License-Identifier: MIT
// Models that read strings and are made here: as a Sequential, and as a graph from a string Input.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { root } from '../../scripts/lib/files.mjs';
import { runModule } from '../support/programs.js';
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

  test('has clones with new weights, whose layers of text have the vocabulary', async () => {
    const standardize = (text) => text.replaceAll('!', ' ').toLowerCase();
    const words = vectorizer({ standardize, name: 'words' });
    const model = new Sequential([words, numbers(words)]);
    model.compile({ optimizer: 'sgd', loss: 'mse' });
    words.setVocabulary(['film', 'a', 'good', 'bad']);
    const given = [];
    const cloneFunction = (layer) => {
      given.push(layer.name);
      return layer;
    };
    for (const clone of [mf.cloneModel(model), mf.cloneModel(model, { cloneFunction })]) {
      const [layer] = clone.textLayers;
      assert.notEqual(layer, words);
      assert.deepEqual(layer.getVocabulary(), words.getVocabulary());
      assert.deepEqual(layer.apply(['A!FILM']).array(), [[3, 2]]);
      assert.notDeepEqual(clone.getWeights()[0].array(), model.getWeights()[0].array());
      clone.setWeights(model.getWeights());
      close(clone.predict(texts), model.predict(texts));
      layer.setVocabulary(['x', 'y', 'z', 'film']);
      assert.equal(words.getVocabulary()[2], 'film');
      await clone.fit(texts, y, { epochs: 1 });
      assert.deepEqual(mf.cloneModel(clone).textLayers[0].getVocabulary()[5], 'film');
    }
    assert.deepEqual(given, [model.layers[0].name]);
  });

  test('is made again from its config, if maskflow/text is there', () => {
    const words = vectorizer();
    const model = new Sequential([words, numbers(words)]);
    const configs = [model.getConfig(), model.toJSON(), JSON.stringify(model)];
    for (const config of configs) {
      for (const Class of [Model, Sequential]) {
        const copy = Class.fromConfig(config);
        copy.setWeights(model.getWeights());
        close(copy.predict(texts), model.predict(texts));
        assert.deepEqual(Class.fromConfig(copy.getConfig()).getConfig(), copy.getConfig());
      }
    }
    const config = JSON.parse(JSON.stringify(model.getConfig()));
    config.layers[1].config.vocabulary = null;
    assert.throws(
      () => Sequential.fromConfig(config),
      /set config\.vocabulary to the list of words$/,
    );
    config.layers[1].config.vocabulary = words.getVocabulary();
    assert.equal(Sequential.fromConfig(config).weights.length, model.weights.length);
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
    const late =
      /^'text_vectorization[_0-9]*' reads texts, so it must be the first layer: new Sequential\(\[vectorizer, …\]\)$/;
    for (const first of [layers.flatten(), Input({ shape: [3] })]) {
      const added = new Sequential([first]);
      assert.throws(() => added.add(words), { name: 'ConfigError', message: late });
      added.add(layers.flatten());
      assert.equal(added.className, 'Sequential');
    }
    assert.throws(() => new Own().add(words), /new Sequential\(\[vectorizer, model\]\)/);
    const empty = new TextVectorization();
    assert.throws(() => new Sequential([empty, layers.flatten()]), mf.StateError);
    assert.throws(() => Input({ dtype: 'string' }), /shape: \[1\], dtype: 'string'/);
    const twice = ['same', 'same'].map((name) => new Hashing({ numBins: 3, name }));
    assert.throws(() => new Sequential(twice), /are called 'same'; name one: new Hashing\(\{ name/);
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
    refuses(() => new Sequential([dense]).add(inner), remedy);
    refuses(() => new Sequential([dense, inner]), remedy);
    refuses(() => new Sequential([vectorizer(), inner]), remedy);
    const expected = new Sequential([inner, dense]).predict(texts);
    const input = Input({ shape: [1], dtype: 'string' });
    const graph = new Model({ inputs: input, outputs: dense.apply(inner.apply(input)) });
    close(graph.predict(texts), expected);
    for (const change of [() => graph.add(dense), () => graph.pop()]) {
      refuses(change, /is a graph .* write new Sequential\(\[model, layer\]\)$/);
    }
    close(new Sequential([graph, layers.rescaling({ scale: 1 })]).predict(texts), expected);
  });

  test('is refused in a Sequential if it reads a text twice, with a remedy that works', () => {
    const input = Input({ shape: [1], dtype: 'string' });
    const parts = [vectorizer(), vectorizer()].map((words) =>
      numbers(words).apply(words.apply(input)),
    );
    const model = new Model({ inputs: input, outputs: layers.add().apply(parts) });
    const layer = layers.rescaling({ scale: 2 });
    assert.throws(() => new Sequential([model, layer]), {
      name: 'ConfigError',
      message:
        /make a graph: const x = Input\(\{ shape: \[1\], dtype: 'string' \}\); new Model\(\{ inputs: x, outputs: layer\.apply\(model\.apply\(x\)\) \}\)$/,
    });
    const x = Input({ shape: [1], dtype: 'string' });
    const remedy = new Model({ inputs: x, outputs: layer.apply(model.apply(x)) });
    close(remedy.predict(texts), layer.apply(model.predict(texts)));
  });
});

describe('names and calls', () => {
  test('unnamed layers have numbers, as in Keras', () => {
    const program = `
      import { ready } from './dist/index.js';
      import * as text from './dist/text.js';
      await ready();
      const { TextVectorization, StringLookup, Hashing } = text;
      const made = [
        new TextVectorization({ vocabulary: ['a'] }), new TextVectorization(),
        new StringLookup(), new TextVectorization({ name: 'mine' }),
        new Hashing({ numBins: 3 }), new StringLookup(), new text.IntegerLookup(),
        new text.HashedCrossing({ numBins: 3 }), new Hashing({ numBins: 3 }),
      ];
      console.log(made.map(({ name }) => name).join());`;
    const stdout = runModule(program, { cwd: root });
    // Names of Keras 3.15.1: a TextVectorization has a StringLookup inside.
    const names =
      'text_vectorization,text_vectorization_1,string_lookup_2,mine,hashing,string_lookup_4,integer_lookup,hashed_crossing,hashing_1';
    assert.equal(stdout.trim(), names);
  });

  test('two unnamed layers, one of them called twice, are in one model', async () => {
    const [first, second] = [vectorizer(), vectorizer({ outputSequenceLength: 2 })];
    const [a, b] = ['a', 'b'].map((name) => Input({ shape: [1], dtype: 'string', name }));
    const parts = [first.apply(a), first.apply(b), second.apply(a)];
    const model = new Model({ inputs: { a, b }, outputs: parts });
    const values = { a: ['good film'], b: ['bad'] };
    const expected = [[[3, 5]], [[4]], [[3, 5]]];
    const predicted = (each) => each.predict(values).map((part) => part.array());
    assert.deepEqual(predicted(model), expected);
    const copy = await loadModel(await model.save());
    assert.deepEqual(predicted(copy), expected);
    assert.deepEqual(predicted(mf.cloneModel(copy)), expected);
    assert.deepEqual(predicted(Model.fromConfig(copy.getConfig())), expected);
  });

  test('a model is called twice in a graph, and the graph in another one', async () => {
    const words = vectorizer();
    const encoder = new Sequential([words, numbers(words)], { name: 'encoder' });
    const pair = () => ['x', 'z'].map(() => Input({ shape: [1], dtype: 'string' }));
    const ends = pair();
    const twins = new Model({
      inputs: ends,
      outputs: layers.subtract().apply(ends.map((end) => encoder.apply(end))),
    });
    const [a, b] = [encoder.predict(texts), encoder.predict([...texts].reverse())];
    const data = [texts, [...texts].reverse()];
    close(twins.predict(data), a.subtract(b));
    assert.equal(twins.getLayer('encoder'), encoder);
    const outer = pair();
    const whole = new Model({ inputs: outer, outputs: twins.apply(outer) });
    close(whole.predict(data), a.subtract(b));
    for (const model of [twins, whole]) {
      close((await loadModel(await model.save())).predict(data), a.subtract(b));
      const clone = mf.cloneModel(model);
      clone.setWeights(model.getWeights());
      close(clone.predict(data), a.subtract(b));
    }
  });
});
