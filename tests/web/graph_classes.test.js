// SPDX-License-Identifier: MIT
// User-defined classes that extend Sequential, or Model with inputs and outputs, keep their class.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as mf from '../../dist/train.js';

await mf.ready({ onMaskDropped: 'silent' });
const { Input, Model, Sequential, cloneModel, layers, loadModel, registerLayer, tensor } = mf;

class Seq extends Sequential {
  trainStep(...args) {
    return super.trainStep?.(...args);
  }
}
class Graph extends Model {
  steps = 1;
}
for (const Class of [Seq, Graph]) registerLayer(Class, { package: 'GraphClasses' });

const dense = () => layers.dense({ units: 2, kernelInitializer: 'ones' });
const makers = {
  Sequential: () => new Seq([Input({ shape: [3] }), dense(), dense()], { name: 'chain' }),
  Functional: () => {
    const x = Input({ shape: [3] });
    return new Graph({ inputs: x, outputs: dense().apply(dense().apply(x)), name: 'graph' });
  },
};
const x = tensor([[1, 2, 3]]);
const numbers = (model) => model.predict(x).data();

for (const [kind, make] of Object.entries(makers)) {
  describe(`a class that extends ${kind}`, () => {
    test('is kept by save and loadModel, with the weights', async () => {
      const model = make();
      model.setWeights(model.getWeights().map((weight, i) => mf.ops.add(weight, i)));
      const loaded = await loadModel(await model.save());
      assert.equal(loaded.constructor, model.constructor);
      assert.equal(loaded.name, model.name);
      assert.deepEqual(numbers(loaded), numbers(model));
    });

    test('is kept by fromConfig, and by cloneModel except for a Sequential', () => {
      const model = make();
      const again = model.constructor.fromConfig(model.getConfig());
      assert.equal(again.constructor, model.constructor);
      assert.deepEqual(numbers(again), numbers(model));
      const clone = cloneModel(model);
      assert.equal(clone.constructor, kind === 'Sequential' ? Sequential : model.constructor);
      assert.equal(clone.name, model.name);
      assert.deepEqual(numbers(clone), numbers(model));
    });

    test('is kept inside of another model', async () => {
      const symbol = Input({ shape: [3] });
      const outer = new Model({ inputs: symbol, outputs: make().apply(symbol) });
      const loaded = await loadModel(await outer.save());
      assert.equal(loaded.layers.at(-1).constructor, outer.layers.at(-1).constructor);
      assert.deepEqual(numbers(loaded), numbers(outer));
    });
  });
}

test('a class that is not registered cannot be saved, until it is', async () => {
  class Other extends Sequential {}
  const model = new Other([Input({ shape: [3] }), dense()]);
  await assert.rejects(model.save(), (error) => {
    return (
      error instanceof mf.ConfigError && /class Other.*registerLayer\(Other/.test(error.message)
    );
  });
  registerLayer(Other, { package: 'GraphClasses' });
  const loaded = await loadModel(await model.save());
  assert.ok(loaded instanceof Other);
});

test('a class that is not known is refused', () => {
  const config = makers.Sequential().getConfig();
  const entry = { module: null, class_name: 'Lost', registered_name: 'Gone>Lost', config };
  assert.throws(() => mf.deserializeLayer(entry), /unknown layer class 'Gone>Lost'.*registerLayer/);
});
