// SPDX-License-Identifier: MIT
// Values that contain themselves, or are nested too deeply, throw typed errors.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { Layer, Sequential, layers, ops, tensor } = mf;
const assertTypedError = (f) => assert.throws(f, (error) => error instanceof mf.MaskflowError);

const cyclic = {};
cyclic.itself = cyclic;
const list = [];
list.push(list, list);
// 60 nested arrays that stand for 2 ** 60 values, because both items of each are one array.
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

test('endless configs and options throw typed errors', () => {
  for (const value of [cyclic, list, wide, { handle: cyclic }, { isDeleted: list }]) {
    assertTypedError(() => mf.metrics.auc(value).update([0, 1], [0, 1]));
    assertTypedError(() => layers.dense({ units: 1, kernelInitializer: value }));
    assertTypedError(() => layers.dense({ units: 1, dtype: value }));
    assertTypedError(() => layers.dense(value));
    assertTypedError(() => ops.sum([1], { axis: value }));
    assertTypedError(() => layers.dense({ units: 1 }).apply([[1]], { option: value }));
    assertTypedError(() => mf.deserializeLayer({ class_name: 'Dense', config: value }));
    assertTypedError(() =>
      new Layer({ dtype: value }).addWeight({ name: 'w', shape: [1], initializer: value }),
    );
    assertTypedError(() => mf.serializeLayer(new Telling(value)));
  }
});

test('the internal name of a live layer means nothing in a file', () => {
  const id = { __layer__: 1 };
  assertTypedError(() => layers.timeDistributed({ layer: id }));
  assertTypedError(() =>
    mf.deserializeLayer({ class_name: 'Sequential', config: { layers: [id] } }),
  );
});

test('arrays', () => {
  assertTypedError(() => tensor(list));
  assertTypedError(() => tensor([list]));
});

test('layers that hold each other throw typed errors', async () => {
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
  const inner = new Sequential([]);
  const outer = new Sequential([inner]);
  for (const f of [
    () => inner.add(outer),
    () => outer.weights,
    () => outer.layers,
    () => outer.dispose(),
  ]) {
    try {
      await f();
    } catch (error) {
      assert.ok(error instanceof mf.MaskflowError, String(error));
    }
  }
  assert.deepEqual(layers.activation({ activation: 'relu' }).apply([-1, 1]).array(), [0, 1]);
});

test('2,000 nested models throw only typed errors', async () => {
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
