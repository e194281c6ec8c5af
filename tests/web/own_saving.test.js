// SPDX-License-Identifier: MIT
// Layers that save and load themselves: own variables, assets, and the config to build from.
// tests/fixtures/own_saving/record.py recorded the file, and opens those of the package.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import * as mf from '../../dist/train.js';

const { Input, Layer, layers, loadModel, ops, registerLayer, Sequential } = mf;
const file = (name) => readFileSync(new URL(`../fixtures/own_saving/${name}`, import.meta.url));
const recording = JSON.parse(file('recording.json'));
await mf.ready();

class Counter extends Layer {
  ids = [3, 1, 4];
  words = 'a\nb\n';
  constructor({ units = 2, ...config } = {}) {
    super(config);
    this.units = units;
  }
  build(shape) {
    this.w = this.addWeight({ name: 'w', shape: [shape.at(-1), this.units], initializer: 'ones' });
  }
  getBuildConfig() {
    return { input_shape: [...this.w.shape], note: 'mine' };
  }
  buildFromConfig(config) {
    this.note = config.note;
    this.build([null, config.input_shape[0]]);
  }
  call(x) {
    return ops.matmul(x, this.w);
  }
  saveOwnVariables(store) {
    store.kernel = ops.multiply(this.w, 2);
    store.ids = new Int32Array(this.ids);
  }
  loadOwnVariables(store) {
    this.w.assign(ops.divide(store.kernel, 2));
    this.ids = store.ids.array();
  }
  saveAssets(files) {
    files['words.txt'] = this.words;
  }
  loadAssets(files) {
    this.words = new TextDecoder().decode(files['words.txt']);
  }
  getConfig() {
    return { ...super.getConfig(), units: this.units };
  }
}

class Kept extends Layer {
  seen = 0;
  build(shape) {
    this.b = this.addWeight({ name: 'b', shape: [shape.at(-1)], initializer: 'zeros' });
  }
  call(x) {
    return ops.add(x, this.b);
  }
  saveOwnVariables(store) {
    super.saveOwnVariables(store);
    store.seen = this.seen;
  }
  loadOwnVariables(store) {
    super.loadOwnVariables(store);
    this.seen = store.seen.array();
  }
}
registerLayer(Counter, { package: 'own', name: 'Counter' });
registerLayer(Kept, { package: 'own', name: 'Kept' });

const check = (model, seen = 7) => {
  const [counter, inner] = model.layers;
  assert.deepEqual([counter.ids, counter.words], [[9, 8], 'first\nsecond\n']);
  assert.equal(inner.layers[0].seen, seen);
  assert.equal(counter.note, 'mine');
  const [[y]] = model.predict(recording.x).array();
  assert.ok(Math.abs(y - recording.output[0][0]) < 1e-5);
};

describe('a layer that saves itself', () => {
  test('opens from Keras, is saved and opens again', async () => {
    const model = await loadModel(new Uint8Array(file('own.keras')));
    check(model);
    model.layers[1].layers[0].seen = 8;
    const copy = await loadModel(await model.save());
    check(copy, 8);
    model.layers[0].w.assign(ops.zeros([3, 2]));
    await model.loadWeights(await copy.saveWeights());
    check(model, 8);
  });

  test('stores what its methods store, under their names', async () => {
    const model = new Sequential([Input({ shape: [3] }), new Counter({ name: 'counter' })]);
    const text = new TextDecoder('latin1').decode(await model.save());
    for (const part of ['assets/layers/counter/words.txt', 'kernel', 'ids']) {
      assert.ok(text.includes(part), part);
    }
    const before = mf.memory().tensors;
    await model.save();
    assert.equal(mf.memory().tensors, before);
  });

  test('is an error for what no file can store, or a file lacks', async () => {
    class Odd extends Layer {
      call(x) {
        return x;
      }
      saveOwnVariables(store) {
        store.text = this.odd;
      }
      saveAssets(files) {
        if (this.odd === 1) files.a = 3;
      }
    }
    registerLayer(Odd);
    const odd = new Odd({ name: 'odd' });
    const model = new Sequential([Input({ shape: [1] }), odd]);
    odd.odd = 'words';
    await assert.rejects(model.save(), /'text' of layer 'odd' of saveOwnVariables\(\)/);
    odd.odd = 1;
    await assert.rejects(model.save(), /'a' of saveAssets\(\) of 'odd' is the number 3/);
    class Lost extends Kept {
      saveOwnVariables(store) {
        store.seen = 0;
      }
    }
    registerLayer(Lost);
    const lost = new Sequential([Input({ shape: [2] }), new Lost()]);
    await assert.rejects(loadModel(await lost.save()), /no array '0' for the weight 'b'/);
  });

  test('compiles itself, as a model', async () => {
    class Own extends mf.Model {
      constructor(config) {
        super(config);
        this.head = layers.dense({ units: 1 });
      }
      call(x) {
        return this.head.apply(x);
      }
      getCompileConfig() {
        return { rate: this.optimizer.learningRate, scale: 3 };
      }
      compileFromConfig({ rate, scale }) {
        this.scale = scale;
        const loss = (y, p) => ops.multiply(ops.mean(ops.square(ops.subtract(y, p))), scale);
        this.compile({ optimizer: mf.optimizers.sgd({ learningRate: rate, momentum: 0.5 }), loss });
      }
    }
    registerLayer(Own, { name: 'OwnCompile' });
    const model = new Own();
    model.compileFromConfig({ rate: 0.25, scale: 3 });
    const [x, y] = [mf.tensor([[1], [2]]), mf.tensor([[2], [4]])];
    await model.fit(x, y, { epochs: 2 });
    const copy = await loadModel(await model.save());
    assert.deepEqual([copy.scale, copy.optimizer.learningRate], [3, 0.25]);
    const [a, b] = [await model.trainOnBatch(x, y), await copy.trainOnBatch(x, y)];
    assert.deepEqual(a, b);
    const values = [model, copy].map((each) => each.getWeights().map((w) => w.array()));
    assert.deepEqual(values[0], values[1]);
  });

  test('builds by its input shape if it has no method for it', async () => {
    class Plain extends Layer {
      build(shape) {
        this.seen = shape;
        this.w = this.addWeight({ shape: [shape.at(-1)] });
      }
      call(x) {
        return ops.multiply(x, this.w);
      }
    }
    registerLayer(Plain);
    const model = new Sequential([Input({ shape: [4] }), layers.dense({ units: 2 }), new Plain()]);
    const copy = await loadModel(await model.save());
    assert.deepEqual(copy.layers[1].seen, [null, 2]);
    assert.deepEqual(copy.predict([[1, 2, 3, 4]]).array(), model.predict([[1, 2, 3, 4]]).array());
  });
});

test('the hooks of the base class refuse an object that no save or load passed', () => {
  const layer = mf.layers.dense({ units: 1 });
  layer.build([null, 1]);
  for (const store of [undefined, null, 3, {}]) {
    assert.throws(() => layer.saveOwnVariables(store), {
      name: 'ValueError',
      message: /store is .* but must be the object that a hook received; .* call getWeights\(\)/,
    });
    assert.throws(() => layer.loadOwnVariables(store), /call setWeights\(weights\)/);
  }
  layer.setWeights(layer.getWeights());
  layer.dispose();
});
