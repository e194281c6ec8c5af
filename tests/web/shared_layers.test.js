// SPDX-License-Identifier: MIT
// Layers that are used in several places: each counts once, and is visited once.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Input, Layer, layers, Model, ready, Sequential } from '../../dist/train.js';

before(() => ready({ seed: 1 }));

class Pair extends Layer {
  constructor(first, second) {
    super();
    this.first = first;
    this.second = second;
  }
  call(x) {
    return this.first.apply(x);
  }
}

/** Returns a layer inside two layers, which are inside two layers each, and so on. */
function doubled(depth, inner) {
  let layer = inner;
  for (let i = 0; i < depth; i++) layer = new Pair(new Pair(layer, layer), new Pair(layer, layer));
  return layer;
}

test('a layer at the end of 2^40 paths is listed once, at once', () => {
  const dense = layers.dense({ units: 2, name: 'dense' });
  dense.build([null, 2]);
  const outer = doubled(20, dense);
  const start = performance.now();
  assert.deepEqual(
    outer.weights.map(({ name }) => name),
    ['kernel', 'bias'],
  );
  assert.equal(outer.trainableVariables.length, 2);
  assert.equal(outer.countParams(), 6);
  outer.setWeights([
    [
      [1, 2],
      [3, 4],
    ],
    [5, 6],
  ]);
  assert.deepEqual(dense.getWeights()[1].array(), [5, 6]);
  outer.trainable = false;
  assert.equal(outer.trainableVariables.length, 0);
  assert.ok(performance.now() - start < 2000);
});

test('the first path to a weight is its path', () => {
  const dense = layers.dense({ units: 1, name: 'shared', useBias: false });
  const own = layers.dense({ units: 1, name: 'own', useBias: false });
  const wrap = (name, layer) => new Sequential([layer], { name });
  const model = new Sequential([
    Input({ shape: [1] }),
    wrap('a', dense),
    wrap('b', new Sequential([dense, own], { name: 'c' })),
  ]);
  const prefix = `${model.name}/`;
  assert.deepEqual(
    model.weights.map(({ path }) => path.slice(prefix.length)),
    ['a/shared/kernel', 'b/c/own/kernel'],
  );
});

test('models that use a model twice, which uses a model twice, list its weights once', () => {
  const wrap = (layer) => {
    const input = Input({ shape: [2] });
    return new Model({ inputs: input, outputs: layer.apply(input) });
  };
  let model = wrap(layers.dense({ units: 2 }));
  for (let i = 0; i < 6; i++) {
    const input = Input({ shape: [2] });
    model = new Model({ inputs: input, outputs: wrap(model).apply(wrap(model).apply(input)) });
  }
  assert.equal(model.weights.length, 2);
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  assert.equal(model.trainableVariables.length, 2);
});

test('a summary counts a layer that is in two wrappers once', () => {
  const dense = layers.dense({ units: 2, name: 'dense' });
  const frozen = layers.dense({ units: 2, name: 'frozen', trainable: false });
  const x = Input({ shape: [3, 2] });
  const [a, b, c] = [dense, dense, frozen].map((layer) =>
    layers.timeDistributed({ layer }).apply(x),
  );
  const model = new Model({ inputs: x, outputs: layers.add().apply([a, b, c]) });
  assert.match(model.summary({ print: null }), /\nParams: 12 \(6 trainable\)$/);
  model.trainable = false;
  assert.match(model.summary({ print: null }), /\nParams: 12 \(0 trainable\)$/);
});

test('a Sequential is never inside itself', () => {
  const inner = new Sequential([], { name: 'inner' });
  const outer = new Sequential([inner]);
  for (const layer of [inner, outer]) {
    assert.throws(() => inner.add(layer), {
      name: 'ConfigError',
      message: "the model 'inner' would be inside itself",
    });
  }
});
