// SPDX-License-Identifier: MIT
// A Sequential that reads texts and grows by add(), as in Keras's guides.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { Hashing, StringLookup, TextVectorization } from '../../dist/text.js';

const { Input, Layer, layers, loadModel, Sequential, tensor } = mf;
await mf.ready({ seed: 3 });

const texts = ['a good film', 'a bad bad film', 'good', 'what a bad film'];
const y = tensor([[1], [0], [1], [0]]);
const vectorizer = (settings = {}) =>
  new TextVectorization({ vocabulary: ['a', 'good', 'bad', 'film'], ...settings });
const parts = () => [
  layers.embedding({ inputDim: 6, outputDim: 3, maskZero: true }),
  layers.gru({ units: 3 }),
  layers.dense({ units: 1, activation: 'sigmoid' }),
];
const numbers = (value) => value.array().flat(3);
const close = (a, b) => {
  const [left, right] = [numbers(a), numbers(b)];
  assert.equal(left.length, right.length);
  left.forEach((x, i) => {
    assert.ok(Math.abs(x - right[i]) < 1e-6, `${a} ${b}`);
  });
};

describe('add', () => {
  test('makes the model that a list makes', async () => {
    const words = vectorizer();
    const others = parts();
    const whole = new Sequential([words, ...others]);
    const input = Input({ shape: [1], dtype: 'string', name: 'review' });
    for (const first of [[], [input]]) {
      const model = new Sequential([], { name: 'grown' });
      for (const layer of [...first, words, ...others]) model.add(layer);
      assert.deepEqual([model.name, model.layers.length], ['grown', 3]);
      assert.deepEqual(model.textLayers, [words]);
      close(model.predict(texts), whole.predict(texts));
      close(model.predict(texts.map((text) => [text])), whole.predict(texts));
      const copy = await loadModel(await model.save());
      close(copy.predict(texts), whole.predict(texts));
      assert.match(model.summary({ print: null }), first.length > 0 ? /review/ : /input_layer/);
      const clone = mf.cloneModel(model);
      clone.setWeights(model.getWeights());
      close(clone.predict(texts), whole.predict(texts));
    }
  });

  test('appends to models of lists, of files and of other models', async () => {
    const made = new Sequential([vectorizer(), ...parts()]);
    const loaded = await loadModel(await made.save());
    const around = new Sequential([made, layers.rescaling({ scale: 1 })]);
    const empty = new Sequential();
    empty.add(made);
    for (const model of [loaded, around, empty, made]) {
      const before = model.predict(texts);
      model.add(layers.rescaling({ scale: 2, offset: 1 }));
      model.add(layers.activation({ activation: 'linear' }));
      const expected = before.multiply(2).add(1);
      close(model.predict(texts), expected);
      close((await loadModel(await model.save())).predict(texts), expected);
      model.pop();
      model.pop();
      close(model.predict(texts), before);
    }
  });

  test('accepts several layers of text, and an Input in the list', () => {
    const upper = new StringLookup({ vocabulary: ['x', 'y'], invert: true });
    const model = new Sequential([Input({ shape: [1], dtype: 'string' })]);
    assert.throws(() => model.predict([['x']]), mf.MaskflowError);
    assert.throws(() => model.add(layers.flatten()), /new TextVectorization\(…\)/);
    model.add(new StringLookup({ vocabulary: ['x', 'y'] }));
    assert.deepEqual(model.predict([['y'], ['z']]).array(), [[2], [0]]);
    model.add(layers.embedding({ inputDim: 3, outputDim: 2 }));
    assert.deepEqual(model.predict([['y'], ['z']]).shape, [2, 1, 2]);
    assert.throws(() => model.add(upper), /must be the first layer/);
    model.pop();
    assert.deepEqual(model.predict([['y'], ['z']]).array(), [[2], [0]]);
    assert.throws(() => model.pop(), /is the only layer of 'sequential.*make a new Sequential$/);
    assert.deepEqual(model.predict([['y'], ['z']]).array(), [[2], [0]]);
  });

  test('an error leaves the model as it is', () => {
    const model = new Sequential();
    assert.throws(() => model.add(new TextVectorization()), mf.StateError);
    model.add(layers.dense({ units: 2 }));
    assert.deepEqual(model.predict([[1, 2, 3]]).shape, [1, 2]);
    const reading = new Sequential([new Hashing({ numBins: 4 })]);
    for (const wrong of [{}, 'dense', new TextVectorization(), reading, null]) {
      assert.throws(() => reading.add(wrong), mf.MaskflowError);
      assert.equal(reading.predict([['a']]).shape.join(), '1,1');
    }
    const holder = new Sequential([reading, layers.embedding({ inputDim: 4, outputDim: 2 })]);
    assert.throws(() => reading.add(holder), mf.ConfigError);
    assert.equal(reading.predict([['a']]).shape.join(), '1,1');
  });

  test('keeps custom layers alive, and trains after compile', async () => {
    class Doubled extends Layer {
      call(x) {
        return x.multiply(2);
      }
    }
    const model = new Sequential();
    model.add(vectorizer());
    for (const layer of parts()) model.add(layer);
    const before = model.predict(texts);
    model.add(new Doubled());
    for (let i = 0; i < 40; i++) {
      globalThis.gc?.();
      await new Promise((resolve) => setTimeout(resolve));
    }
    close(model.predict(texts), before.multiply(2));
    model.pop();
    model.compile({ optimizer: mf.optimizers.adam(0.05), loss: 'binaryCrossentropy' });
    const { history } = await model.fit(texts, y, { epochs: 12 });
    assert.ok(history.loss.at(-1) < history.loss[0]);
    model.add(layers.rescaling({ scale: 0.5 }));
    model.compile({ optimizer: 'sgd', loss: 'mse' });
    await model.fit(texts, y, { epochs: 1 });
  });
});
