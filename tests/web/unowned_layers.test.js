// SPDX-License-Identifier: MIT
// Layers that a custom layer uses without a property that shows them: in `#private` fields, in
// closures, and those that `call` creates.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { close, collectWarnings } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { Layer, layers, Model, ops } = mf;
const x = () => ops.sin(ops.reshape(ops.arange(12, { dtype: 'float32' }), [4, 3]));
const paths = (layer) => layer.weights.map(({ path }) => path.replace(/_\d+/g, ''));

/** Two layers in private fields. */
class Hidden extends Layer {
  #first = layers.dense({ units: 4, activation: 'tanh' });
  #second = layers.dense({ units: 2 });
  call(inputs) {
    return this.#second.apply(this.#first.apply(inputs));
  }
}

/** A layer in a private field that `build` creates and builds, with a rule for the shape. */
class HiddenBuilt extends Layer {
  #dense;
  build(shape) {
    this.#dense = layers.dense({ units: 2 });
    this.#dense.build(shape);
  }
  call(inputs) {
    return this.#dense.apply(inputs);
  }
  computeOutputShape(shape) {
    return [shape[0], 2];
  }
}

/** A layer in a private field, with a rule for the shape and without a build. */
class HiddenRule extends Layer {
  #dense = layers.dense({ units: 2 });
  call(inputs) {
    return this.#dense.apply(inputs);
  }
  computeOutputShape(shape) {
    return [shape[0], 2];
  }
}

const modelOf = (Class) => {
  const input = mf.Input({ shape: [3] });
  return new Model({ inputs: input, outputs: new Class().apply(input) });
};

for (const [Class, count] of [
  [Hidden, 4],
  [HiddenBuilt, 2],
  [HiddenRule, 2],
]) {
  test(`${Class.name}: layers in private fields are counted, trained and saved`, async () => {
    mf.registerLayer(Class);
    const { result: model, warnings } = collectWarnings(() => modelOf(Class));
    assert.deepEqual(warnings, []);
    assert.equal(model.weights.length, count);
    const start = model.getWeights().map((weight) => weight.array());
    model.compile({ optimizer: 'sgd', loss: 'mse' });
    await model.fit(x(), ops.ones([4, 2]), { epochs: 2, verbose: 0 });
    model.getWeights().forEach((weight, i) => {
      assert.notDeepEqual(weight.array(), start[i]);
    });
    const copy = await mf.loadModel(await model.save());
    close(copy.predict(x()).array(), model.predict(x()).array());
    const fresh = modelOf(Class);
    fresh.setWeights(model.getWeights());
    close(fresh.predict(x()).array(), model.predict(x()).array());
  });
}

test('a private layer has one owner, also if it is used again', () => {
  const layer = new Hidden();
  for (let i = 0; i < 3; i++) layer.apply(x());
  assert.deepEqual(paths(layer), [
    'hidden/dense/kernel',
    'hidden/dense/bias',
    'hidden/dense/kernel',
    'hidden/dense/bias',
  ]);
  assert.equal(new Set(layer.trainableVariables).size, 4);
});

test('layers in maps and sets are those of the layer', async () => {
  class Collected extends Layer {
    parts = new Map([
      ['b', layers.dense({ units: 3 })],
      ['a', layers.dense({ units: 2 })],
    ]);
    others = new Set([layers.layerNormalization()]);
    call(inputs) {
      let y = this.parts.get('b').apply(inputs);
      for (const other of this.others) y = other.apply(y);
      return this.parts.get('a').apply(y);
    }
  }
  mf.registerLayer(Collected);
  const { result: model, warnings } = collectWarnings(() => modelOf(Collected));
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    model.weights.map(({ shape }) => shape),
    [[3, 3], [3], [3, 2], [2], [3], [3]],
  );
  const copy = await mf.loadModel(await model.save());
  close(copy.predict(x()).array(), model.predict(x()).array());
});

test('private layers of a custom model are its layers', async () => {
  class Net extends Model {
    #dense = layers.dense({ units: 3 });
    head = layers.dense({ units: 1 });
    call(inputs) {
      return this.head.apply(this.#dense.apply(inputs));
    }
  }
  const model = new Net();
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  await model.fit(x(), ops.ones([4, 1]), { verbose: 0 });
  assert.equal(model.layers.length, 2);
  assert.equal(model.countParams(), 3 * 3 + 3 + 3 + 1);
});

const warningsOf = (layer, times = 3) =>
  collectWarnings(() => {
    for (let i = 0; i < times; i++) layer.apply(x());
  }).warnings;

test('a layer in a closure is named in a warning, once, and is not adopted', () => {
  const outside = layers.dense({ units: 2, name: 'outside' });
  class Closure extends Layer {
    call(inputs) {
      return outside.apply(inputs);
    }
  }
  const layer = new Closure();
  const warnings = warningsOf(layer);
  assert.equal(warnings.length, 1);
  assert.match(
    warnings[0],
    /'outside' runs inside 'closure', but no layer holds it: .*hold it in a property/,
  );
  assert.deepEqual(layer.weights, []);
  const lambda = layers.lambda({ function: (inputs) => outside.apply(inputs) });
  assert.match(warningsOf(lambda)[0], /'outside' runs inside 'lambda'/);
});

test('the remedy of the warning: held in a property, the layer is trained', () => {
  const outside = layers.dense({ units: 2 });
  class Holder extends Layer {
    dense = outside;
    call(inputs) {
      return this.dense.apply(inputs);
    }
  }
  const layer = new Holder();
  assert.deepEqual(warningsOf(layer), []);
  assert.equal(layer.trainableVariables.length, 2);
});

test('a layer that each call creates is named in a warning', () => {
  class Forgetful extends Layer {
    call(inputs) {
      return layers.dense({ units: 2 }).apply(inputs);
    }
  }
  const warnings = warningsOf(new Forgetful());
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /runs inside 'forgetful', but each call creates it/);
});

test('layers that something holds, and layers without weights, are no reason to warn', () => {
  const shared = layers.dense({ units: 3 });
  class Uses extends Layer {
    call(inputs) {
      return layers
        .add()
        .apply([inputs, layers.dropout({ rate: 0.1 }).apply(shared.apply(inputs))]);
    }
  }
  const input = mf.Input({ shape: [3] });
  const held = shared.apply(input);
  const { result: model, warnings } = collectWarnings(
    () => new Model({ inputs: input, outputs: new Uses().apply(held) }),
  );
  assert.deepEqual(warnings, []);
  assert.equal(model.weights.length, 2);
  const block = new (class Block extends Layer {
    inner = layers.dense({ units: 2 });
    call(inputs) {
      return this.inner.apply(inputs);
    }
  })();
  class Outer extends Layer {
    block = block;
    call(inputs) {
      return block.inner.apply(inputs);
    }
  }
  assert.deepEqual(warningsOf(new Outer()), []);
});

test('a model around a layer that calls it does not become its part', () => {
  const around = {};
  class Inner extends Layer {
    build() {
      this.scale = this.addWeight({ shape: [] });
    }
    call(inputs) {
      const { outer } = around;
      around.outer = null;
      return outer ? outer.apply(inputs) : ops.multiply(inputs, this.scale);
    }
  }
  const inner = new Inner();
  const model = new mf.Sequential([inner]);
  model.apply(x());
  around.outer = model;
  inner.apply(x());
  assert.equal(inner.weights.length, 1);
  assert.equal(model.weights.length, 1);
  model.dispose();
});
