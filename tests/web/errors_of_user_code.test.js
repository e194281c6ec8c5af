// SPDX-License-Identifier: MIT
// Errors of user code are rethrown as the same object, from everywhere, and the next call works.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { leavesNothing, rows, collectWarnings } from '../support/watch.js';

before(() => mf.ready());

const { Input, Layer, layers, Model, ops, registerLayer, Sequential, tensor } = mf;
const userError = new RangeError('mine');
const throws = (method) => {
  class Fragile extends Layer {
    call(inputs) {
      return ops.add(inputs, 1);
    }
  }
  Fragile.prototype[method] = () => {
    throw userError;
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
const isUserError = (error) => error === userError;

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
          throw userError;
        },
      })
      .apply(x()),
  'the mask of a Lambda': () =>
    layers
      .lambda({
        function: (inputs) => ops.add(inputs, 1),
        mask: () => {
          throw userError;
        },
      })
      .apply(x()),
  'a constructor, from a configuration': () => {
    class Unmakable extends Layer {
      constructor() {
        super();
        throw userError;
      }
    }
    registerLayer(Unmakable);
    mf.deserializeLayer({ class_name: 'Unmakable', config: {} });
  },
};

for (const [title, run] of Object.entries(places)) {
  test(`is rethrown from ${title}`, () => {
    assert.throws(run, isUserError);
    mf.tidy(() => assert.deepEqual(layers.dense({ units: 1 }).apply(x()).shape, [1, 2, 1]));
  });
}

test('is rethrown from a Functional model when it runs', () => {
  let shouldThrow = false;
  class Later extends Layer {
    call(inputs) {
      if (shouldThrow) throw userError;
      return ops.add(inputs, 1);
    }
  }
  const input = Input({ shape: [2, 2] });
  const model = new Model({ inputs: input, outputs: new Later().apply(input) });
  const data = x();
  model.predict(data).dispose();
  shouldThrow = true;
  leavesNothing(() => assert.throws(() => model.predict(data), isUserError));
  shouldThrow = false;
  assert.deepEqual(model.predict(data).array(), ops.add(data, 1).array());
});

test('any value may be thrown', () => {
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

test('an error of the package inside user code is rethrown unchanged', () => {
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

test('an error that user code catches has no effect', () => {
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

test('an error that summary() ignores does not reappear later', () => {
  let shouldThrow = false;
  const model = new Sequential([
    Input({ shape: [2, 2] }),
    new (class Later extends Layer {
      call(inputs) {
        if (shouldThrow) throw new Error('old');
        return inputs;
      }
    })(),
  ]);
  shouldThrow = true;
  assert.throws(() => model.add(layers.dense({ units: 1 })), /old/);
  assert.match(model.summary({ print: null }), /Later/);
  assert.throws(() => throws('call').apply(x()), isUserError);
});

test("results that are not tensors are refused with the layer's name", () => {
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
  for (const [result, pattern] of results) {
    const layer = new (class Odd extends Layer {
      call() {
        return result;
      }
    })({ name: 'odd_one' });
    assert.throws(
      () => layer.apply(x()),
      (error) =>
        error instanceof mf.ShapeError &&
        /odd_one/.test(error.message) &&
        pattern.test(error.message),
    );
  }
});

test("masks that are not tensors are refused with the layer's name", () => {
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

test('a layer without call() is refused with its class name', () => {
  assert.throws(() => new (class Empty extends Layer {})().apply(x()), /Empty has no call\(\)/);
});

test('1000 errors of user code leave memory use unchanged', () => {
  const layer = new (class Fails extends Layer {
    call(inputs) {
      ops.exp(ops.add(inputs, 1));
      throw userError;
    }
  })();
  const model = new Sequential([layers.dense({ units: 2 }), layer]);
  const data = x();
  assert.throws(() => model.predict(data), isUserError);
  const { heapBytes } = mf.memory();
  leavesNothing(() => {
    for (let i = 0; i < 1000; i++) assert.throws(() => model.predict(data), isUserError);
  });
  assert.equal(mf.memory().heapBytes, heapBytes);
});

test('a console that throws does not trap the module', () => {
  const masked = x().withMask(rows('TF'));
  const unmasked = new (class Plain extends Layer {
    call(inputs) {
      return ops.add(inputs, 1);
    }
  })();
  const { warn } = console;
  console.warn = () => {
    throw userError;
  };
  try {
    assert.throws(() => unmasked.apply(masked), isUserError);
  } finally {
    console.warn = warn;
  }
  assert.equal(collectWarnings(() => unmasked.apply(masked)).result.shape.length, 3);
});
