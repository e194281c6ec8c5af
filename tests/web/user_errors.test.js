// SPDX-License-Identifier: MIT
// What user code throws arrives as the very same object, from everywhere; nothing is lost by it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { leavesNothing, rows, warned } from '../support/watch.js';

before(() => mf.ready());

const { Input, Layer, layers, Model, ops, registerLayer, Sequential, tensor } = mf;
const mine = new RangeError('mine');
const throws = (method) => {
  class Fragile extends Layer {
    call(inputs) {
      return ops.add(inputs, 1);
    }
  }
  Fragile.prototype[method] = () => {
    throw mine;
  };
  return new Fragile();
};
const x = () =>
  tensor([
    [
      [1, 2],
      [3, 4],
    ],
  ]);
const same = (error) => error === mine;

const places = {
  'call, eagerly': () => throws('call').apply(x()),
  'call, symbolically': () => throws('call').apply(Input({ shape: [2, 2] })),
  'call, in a Sequential': () => new Sequential([throws('call')]).predict(x()),
  'call, in TimeDistributed': () => layers.timeDistributed({ layer: throws('call') }).apply(x()),
  'call, in a custom layer': () =>
    new (class Outer extends Layer {
      inner = throws('call');
      call(inputs) {
        return this.inner.apply(inputs);
      }
    })().apply(x()),
  'call, in a subclassed model': () =>
    new (class Mine extends Model {
      inner = throws('call');
      call(inputs) {
        return this.inner.apply(inputs);
      }
    })().predict(x()),
  'call, while tracing': () => new Sequential([throws('call')]).traceMasks(x()),
  'build, by apply': () => throws('build').apply(x()),
  'build, by build': () => throws('build').build([null, 2]),
  computeMask: () => throws('computeMask').apply(x().withMask(rows('TF'))),
  'computeMask, symbolically': () =>
    throws('computeMask').apply(layers.masking().apply(Input({ shape: [2, 2] }))),
  computeOutputShape: () => throws('computeOutputShape').apply(Input({ shape: [2, 2] })),
  'getConfig, of a model': () => new Sequential([throws('getConfig')]).getConfig(),
  'getConfig, of serializeLayer': () => mf.serializeLayer(throws('getConfig')),
  'the function of a Lambda': () =>
    layers
      .lambda({
        function: () => {
          throw mine;
        },
      })
      .apply(x()),
  'the mask of a Lambda': () =>
    layers
      .lambda({
        function: (inputs) => ops.add(inputs, 1),
        mask: () => {
          throw mine;
        },
      })
      .apply(x()),
  'a constructor, from a configuration': () => {
    class Unmakable extends Layer {
      constructor() {
        super();
        throw mine;
      }
    }
    registerLayer(Unmakable);
    mf.deserializeLayer({ class_name: 'Unmakable', config: {} });
  },
};

for (const [title, run] of Object.entries(places)) {
  test(`thrown in ${title}`, () => {
    assert.throws(run, same);
    mf.tidy(() => assert.deepEqual(layers.dense({ units: 1 }).apply(x()).shape, [1, 2, 1]));
  });
}

test('in a Functional model, when it runs', () => {
  let broken = false;
  class Later extends Layer {
    call(inputs) {
      if (broken) throw mine;
      return ops.add(inputs, 1);
    }
  }
  const input = Input({ shape: [2, 2] });
  const model = new Model({ inputs: input, outputs: new Later().apply(input) });
  const data = x();
  model.predict(data).dispose();
  broken = true;
  leavesNothing(() => assert.throws(() => model.predict(data), same));
  broken = false;
  assert.deepEqual(model.predict(data).array(), ops.add(data, 1).array());
});

test('anything may be thrown', () => {
  for (const thrown of ['text', undefined, null, 0, { code: 7 }, Symbol.iterator]) {
    const layer = new (class Odd extends Layer {
      call() {
        throw thrown;
      }
    })();
    let caught = 'nothing';
    try {
      layer.apply(x());
    } catch (error) {
      caught = error;
    }
    assert.equal(caught, thrown);
  }
});

test('an error of the package inside user code passes through as itself', () => {
  let inner;
  const layer = new (class Bad extends Layer {
    call(inputs) {
      try {
        return ops.reshape(inputs, [3]);
      } catch (error) {
        inner = error;
        throw error;
      }
    }
  })();
  assert.throws(
    () => layer.apply(x()),
    (error) => error === inner && error instanceof mf.ShapeError,
  );
});

test('an error that user code catches is gone', () => {
  const layer = new (class Careful extends Layer {
    inner = throws('call');
    call(inputs) {
      try {
        return this.inner.apply(inputs);
      } catch {
        return ops.add(inputs, 10);
      }
    }
  })();
  assert.deepEqual(layer.apply([[1]]).array(), [[11]]);
  assert.throws(() => layers.dense({ units: 1 }).apply([1]), mf.ShapeError);
});

test('an error that summary() gets over does not come back later', () => {
  let broken = false;
  const model = new Sequential([
    Input({ shape: [2, 2] }),
    new (class Later extends Layer {
      call(inputs) {
        if (broken) throw new Error('old');
        return inputs;
      }
    })(),
  ]);
  broken = true;
  assert.throws(() => model.add(layers.dense({ units: 1 })), /old/);
  assert.match(model.summary({ print: null }), /Later/);
  assert.throws(() => throws('call').apply(x()), same);
});

test('results that are no tensors are refused with the name of the layer', () => {
  const results = [
    [undefined, /nothing/],
    [3, /number/],
    [null, /null/],
    [[], /empty list/],
    [[1, 2], /number/],
    [Promise.resolve(1), /Promise.*async/],
    [new Map(), /object/],
    [{ a: 1 }, /number/],
  ];
  for (const [result, what] of results) {
    const layer = new (class Odd extends Layer {
      call() {
        return result;
      }
    })({ name: 'odd_one' });
    assert.throws(
      () => layer.apply(x()),
      (error) =>
        error instanceof mf.ShapeError && /odd_one/.test(error.message) && what.test(error.message),
    );
  }
});

test('masks that are no tensors are refused with the name of the layer', () => {
  const layer = new (class Odd extends Layer {
    call(inputs) {
      return ops.add(inputs, 1);
    }
    computeMask() {
      return rows('TF');
    }
  })({ name: 'odd_mask' });
  assert.throws(() => layer.apply(x()), /computeMask\(\).*odd_mask.*must return a tensor/);
});

test('a layer without call says so', () => {
  assert.throws(() => new (class Empty extends Layer {})().apply(x()), /Empty has no call\(\)/);
});

test('1000 errors of user code leave the memory as it was', () => {
  const layer = new (class Fails extends Layer {
    call(inputs) {
      ops.exp(ops.add(inputs, 1));
      throw mine;
    }
  })();
  const model = new Sequential([layers.dense({ units: 2 }), layer]);
  const data = x();
  assert.throws(() => model.predict(data), same);
  const { heapBytes } = mf.memory();
  leavesNothing(() => {
    for (let i = 0; i < 1000; i++) assert.throws(() => model.predict(data), same);
  });
  assert.equal(mf.memory().heapBytes, heapBytes);
});

test('a console that throws does not trap the module', () => {
  const masked = x().withMask(rows('TF'));
  const plain = new (class Plain extends Layer {
    call(inputs) {
      return ops.add(inputs, 1);
    }
  })();
  const { warn } = console;
  console.warn = () => {
    throw mine;
  };
  try {
    assert.throws(() => plain.apply(masked), same);
  } finally {
    console.warn = warn;
  }
  assert.equal(warned(() => plain.apply(masked)).result.shape.length, 3);
});
