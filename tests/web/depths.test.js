// SPDX-License-Identifier: MIT
// What contains itself, or is nested beyond reason, is a typed error.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { Layer, Sequential, layers, ops, tensor } = mf;
const typed = (f) => assert.throws(f, (error) => error instanceof mf.MaskflowError);

const cyclic = {};
cyclic.itself = cyclic;
const list = [];
list.push(list, list);
// 2 ** 60 values, made of 60.
let wide = [1];
for (let i = 0; i < 60; i++) wide = [wide, wide];

class Telling extends Layer {
  constructor(config) {
    super();
    this.config = config;
  }
  getConfig() {
    return this.config;
  }
}

test('configurations and options', () => {
  for (const value of [cyclic, list, wide, { handle: cyclic }, { isDeleted: list }]) {
    typed(() => mf.metrics.auc(value).update([0, 1], [0, 1]));
    typed(() => layers.dense({ units: 1, kernelInitializer: value }));
    typed(() => layers.dense({ units: 1, dtype: value }));
    typed(() => layers.dense(value));
    typed(() => ops.sum([1], { axis: value }));
    typed(() => layers.dense({ units: 1 }).apply([[1]], { option: value }));
    typed(() => mf.deserializeLayer({ class_name: 'Dense', config: value }));
    typed(() =>
      new Layer({ dtype: value }).addWeight({ name: 'w', shape: [1], initializer: value }),
    );
    typed(() => mf.serializeLayer(new Telling(value)));
  }
});

test('a name that stands for a living layer inside the core means nothing in a file', () => {
  const id = { __layer__: 1 };
  typed(() => layers.timeDistributed({ layer: id }));
  typed(() => mf.deserializeLayer({ class_name: 'Sequential', config: { layers: [id] } }));
});

test('arrays', () => {
  typed(() => tensor(list));
  typed(() => tensor([list]));
});

test('layers that hold each other', async () => {
  class Holds extends Layer {
    call(x) {
      return x;
    }
  }
  const [a, b] = [new Holds(), new Holds()];
  a.other = b;
  b.other = a;
  for (const f of [
    () => a.weights,
    () => a.countParams(),
    () => a.resetState(),
    () => new Sequential([a]).save(),
    () => new Sequential([a]).summary({ print: null }),
    () => new Sequential([a]).predict([[1]]),
    () => new Sequential([a]).dispose(),
  ]) {
    try {
      await f();
    } catch (error) {
      assert.ok(error instanceof mf.MaskflowError, String(error));
    }
  }
  const one = new Sequential([]);
  const two = new Sequential([one]);
  for (const f of [() => one.add(two), () => two.weights, () => two.layers, () => two.dispose()]) {
    try {
      await f();
    } catch (error) {
      assert.ok(error instanceof mf.MaskflowError, String(error));
    }
  }
  assert.deepEqual(layers.activation({ activation: 'relu' }).apply([-1, 1]).array(), [0, 1]);
});

test('2,000 models inside one another', async () => {
  const uses = [
    (m) => m.predict([[1]]),
    (m) => m.weights,
    (m) => m.summary({ print: null }),
    (m) => JSON.stringify(m),
    (m) => m.layers,
    (m) => m.dispose(),
  ];
  for (const f of uses) {
    try {
      let model = new Sequential([layers.dense({ units: 1 })]);
      for (let i = 0; i < 2000; i++) model = new Sequential([model]);
      await f(model);
    } catch (error) {
      assert.ok(error instanceof mf.MaskflowError, String(error));
    }
  }
  assert.deepEqual(layers.activation({ activation: 'relu' }).apply([-1, 1]).array(), [0, 1]);
});
