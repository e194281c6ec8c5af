// SPDX-License-Identifier: MIT
// Errors of nested layers are found by running each layer once, however deep it is.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { cpuTime } from '../support/cpu_time.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

let calls = 0;
class Failing extends mf.Layer {
  call() {
    calls++;
    throw new mf.ValueError('no');
  }
}
class Counting extends mf.Layer {
  call(x) {
    calls++;
    return x;
  }
}
class Wrapper extends mf.Layer {
  constructor(inner) {
    super();
    this.inner = inner;
  }
  call(x) {
    return this.inner.apply(x);
  }
}

function nest(innermost, depth) {
  let layer = innermost;
  for (let i = 0; i < depth; i++) layer = i % 2 ? new mf.Sequential([layer]) : new Wrapper(layer);
  return layer;
}

const uses = {
  apply: (layer) => layer.apply([[1, 2]]),
  'apply on a symbolic tensor': (layer) => layer.apply(mf.Input({ shape: [2] })),
  predict: (layer) => new mf.Sequential([layer]).predict([[1, 2]]),
  build: (layer) => layer.build([null, 2]),
  computeOutputShape: (layer) => layer.computeOutputShape([null, 2]),
};

describe('50 layers deep', () => {
  for (const [name, use] of Object.entries(uses)) {
    test(`${name}: a failing layer runs once or twice`, () => {
      calls = 0;
      const start = cpuTime();
      assert.throws(() => use(nest(new Failing(), 50)), { message: /^[\w/]*failing\w*: no$/ });
      assert.ok(calls <= 2, `${calls} calls`);
      assert.ok(cpuTime() - start < 5000, `${cpuTime() - start} ms`);
    });

    test(`${name}: a layer without errors runs at most once per outer layer`, () => {
      calls = 0;
      use(nest(new Counting(), 50));
      assert.ok(calls <= 60, `${calls} calls`);
    });
  }
});

test('messages shorten long values and layers', () => {
  const long = 'x'.repeat(1e6);
  const start = cpuTime();
  for (const f of [
    () => mf.layers.dense({ units: 1, activation: long }),
    () => mf.layers.dense({ units: 1, kernelInitializer: long }),
    () => mf.layers.dense({ units: 1, [long]: 1 }),
    () => mf.deserializeLayer({ class_name: long, config: {} }),
    () => mf.layers.dense({ units: 1, name: long }).apply([1]),
    () => new mf.Sequential([mf.layers.dense({ units: 1, name: long })]).getLayer(`${long}y`),
    () => mf.tensor([1], { dtype: long }),
    () => nest(mf.layers.dense({ units: 1, name: long }), 20).apply([1]),
  ]) {
    assert.throws(
      f,
      (error) => error instanceof mf.MaskflowError && error.message.length <= 10_100,
    );
  }
  assert.ok(cpuTime() - start < 10_000, `${cpuTime() - start} ms`);
});
