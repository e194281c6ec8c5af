// SPDX-License-Identifier: MIT
// User-defined classes that extend Sequential, or Model with inputs and outputs, keep their class.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
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

/** Classes of Keras's files in tests/fixtures/graph_classes. */
class Plain extends Model {}
class Chain extends Sequential {}
class Extra extends Model {
  constructor({ units = 2, ...config } = {}) {
    const inputs = Input({ shape: [3] });
    super({ inputs, outputs: layers.dense({ units }).apply(inputs), ...config });
    this.units = units;
  }
  getConfig() {
    return { units: this.units, name: this.name };
  }
}
class Rest extends Sequential {
  constructor({ units = 2, name } = {}) {
    super([layers.dense({ units }), layers.dense({ units: 1 })], { name });
    this.units = units;
  }
  getConfig() {
    return { units: this.units, name: this.name };
  }
  static fromConfig(config) {
    return new this(config);
  }
}
class Doubled extends Sequential {
  call(inputs) {
    return mf.ops.multiply(super.call(inputs), 2);
  }
}
const customObjects = { Plain, Chain, Doubled, Extra, Rest };
const recordings = readFileSync(
  new URL('../fixtures/graph_classes/cases.jsonl.gz', import.meta.url),
);
const cases = String(gunzipSync(recordings))
  .split('\n')
  .map((line) => JSON.parse(line));
const near = (actual, expected) =>
  assert.ok(
    actual.data().every((value, i) => Math.abs(value - expected.flat()[i]) < 1e-6),
    `${actual} instead of ${expected}`,
  );

test('settings that getConfig adds return to the constructor', async () => {
  class Scaled extends Model {
    constructor({ scale = 1, ...config }) {
      super(config);
      this.scale = scale;
    }
    getConfig() {
      return { ...super.getConfig(), scale: this.scale };
    }
  }
  registerLayer(Scaled, { package: 'GraphClasses' });
  const inputs = Input({ shape: [3] });
  const model = new Scaled({ inputs, outputs: dense().apply(inputs), scale: 3 });
  const loaded = await loadModel(await model.save());
  assert.equal(loaded.scale, 3);
  assert.deepEqual(numbers(loaded), numbers(model));
  assert.equal(Scaled.fromConfig(model.getConfig()).scale, 3);
});

describe('files of Keras with such classes', () => {
  for (const { name, file, x: input, y } of cases.filter((one) => one.name !== 'Doubled')) {
    test(`open with customObjects, compute the same, and are saved again: ${name}`, async () => {
      const load = (bytes) => loadModel(bytes, { customObjects });
      const model = await load(new Uint8Array(Buffer.from(file, 'base64')));
      assert.equal(model.constructor, customObjects[name === 'nested' ? 'Plain' : name]);
      near(model.predict(input), y);
      for (const Class of [Plain, Chain, Extra, Rest]) registerLayer(Class, { package: 'Own' });
      const again = await load(await model.save());
      assert.equal(again.constructor, model.constructor);
      near(again.predict(input), y);
    });
  }

  test('are refused if the class overrides call, which its graph would not run', async () => {
    const { file } = cases.find(({ name }) => name === 'Doubled');
    await assert.rejects(
      loadModel(new Uint8Array(Buffer.from(file, 'base64')), { customObjects }),
      (error) => error instanceof mf.ConfigError && /call\(\) would never run/.test(error.message),
    );
  });
});

describe('a class with methods that the core would not run', () => {
  const input = Input({ shape: [3] });
  class Over extends Model {
    call(inputs) {
      return inputs;
    }
  }
  class Masked extends mf.Dense {
    computeMask() {
      return null;
    }
  }
  const wrong = [
    [() => new Doubled([Input({ shape: [3] }), dense()]), /^Doubled: call\(\) would never run/],
    [() => new Doubled(), /class Doubled extends Model, with the Sequential/],
    [
      () => new Over({ inputs: input, outputs: dense().apply(input) }),
      /^Over: call\(\).* a Model with inputs .*class Over extends Model, with the Model/,
    ],
    [() => new Masked({ units: 2 }), /^Masked: computeMask\(\).*extends Layer, with the Dense/],
  ];
  for (const [make, message] of wrong) {
    test(`is refused: ${message}`, () => {
      assert.throws(make, (error) => {
        return error instanceof mf.UnsupportedError && message.test(error.message);
      });
    });
  }

  test('runs if it keeps the Sequential in a property, and reads the same file', async () => {
    class Remedied extends Model {
      inner = new Sequential([Input({ shape: [3] }), layers.dense({ units: 2 })]);
      call(inputs) {
        return mf.ops.multiply(this.inner.apply(inputs), 2);
      }
    }
    const { file, x: rows, y } = cases.find(({ name }) => name === 'Doubled');
    const model = new Remedied();
    await model.inner.loadWeights(new Uint8Array(Buffer.from(file, 'base64')));
    near(model.predict(rows), y);
  });
});
