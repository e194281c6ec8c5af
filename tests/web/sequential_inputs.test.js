// SPDX-License-Identifier: MIT
// The inputs of a Sequential: as in Keras, the rank counts, a last axis of size 1 may be missing or
// extra, and the dtype is that of the Input.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Input, Layer, layers, Model, ops, ready, Sequential, tensor } from '../../dist/train.js';
import { ShapeError, ValueError } from '../../dist/train.js';

before(() => ready({ seed: 1, onMaskDropped: 'silent' }));

const relu = () => layers.activation({ activation: 'relu' });
const begun = (shape, layer = relu(), options = {}) =>
  new Sequential([Input({ shape, ...options }), layer]);

// Shape of the Input, of the value, and of the result in Keras; null: Keras refuses it.
const table = [
  [
    [4, 1],
    [2, 4],
    [2, 4, 1],
  ],
  [
    [4, 1],
    [2, 4, 1],
    [2, 4, 1],
  ],
  [
    [4, 1],
    [2, 5],
    [2, 5, 1],
  ],
  [
    [4, 1],
    [2, 4, 2],
    [2, 4, 2],
  ],
  [
    [4, 1],
    [2, 4, 1, 1],
    [2, 4, 1],
  ],
  [[4, 1], [2], null],
  [[4], [2, 4, 1], [2, 4]],
  [[4], [2, 4, 1, 1], null],
  [[4], [2, 4, 2], null],
  [[4], [2], null],
  [[4], [2, 5], [2, 5]],
  [[4], [2, 5, 1], [2, 5]],
  [
    [null, 3],
    [2, 5, 3, 1],
    [2, 5, 3],
  ],
  [[null, 3], [2, 5, 3, 2], null],
  [[1], [2], [2, 1]],
  [[1], [2, 1, 1], [2, 1]],
  [
    [null, 1],
    [2, 5],
    [2, 5, 1],
  ],
  [[], [2, 1], [2]],
  [[], [2, 1, 1], null],
];

describe('an Input', () => {
  for (const [shape, given, expected] of table) {
    test(`of [${shape}] ${expected ? 'accepts' : 'refuses'} [${given}]`, async () => {
      const x = ops.ones(given);
      for (const call of [
        () => begun(shape).apply(x),
        () => begun(shape).predict(x),
        () => new Sequential([begun(shape), relu()]).apply(x),
      ]) {
        if (expected) assert.deepEqual(call().shape, expected);
        else assert.throws(call, ShapeError);
      }
    });
  }

  test('the error names the input and both shapes', () => {
    const model = new Sequential([Input({ shape: [4], name: 'speed' }), relu()], { name: 'm' });
    assert.throws(
      () => model.predict(ops.ones([2, 4, 2])),
      /^ShapeError: m: input 'speed' expects shape \(None, 4\) but was given \(2, 4, 2\)/,
    );
  });

  test('converts numbers to its dtype', () => {
    const negative = layers.lambda((x) => ops.negative(x));
    const y = begun([2], negative, { dtype: 'int32' }).apply([[1.7, 2.2]]);
    assert.deepEqual([y.dtype, y.array()], ['int32', [[-1, -2]]]);
    const ids = tensor([[1, 2]], { dtype: 'int32' });
    assert.equal(
      begun(
        [2],
        layers.lambda((x) => ops.negative(x)),
      ).apply(ids).dtype,
      'float32',
    );
  });
});

test('a missing axis is added in predict, fit, evaluate, traces, streams and other models', async () => {
  const sequences = [
    [1, 2, 3],
    [2, 3, 4],
  ];
  const model = begun([3, 1], layers.lstm({ units: 2 }));
  const expected = model.predict(tensor(sequences).expandDims(-1)).array();
  assert.deepEqual(model.predict(sequences).array(), expected);
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  assert.ok((await model.fit(sequences, expected, { verbose: 0 })).history.loss[0] < 1e-10);
  assert.ok((await model.evaluate(sequences, expected)).loss < 1e-10);
  const before = model.predict(sequences).array();
  assert.deepEqual(model.traceMasks(sequences).at(-1)?.className, 'LSTM');
  const input = Input({ shape: [3] });
  const outer = new Model({ inputs: input, outputs: model.apply(input) });
  assert.deepEqual(outer.outputShape, [null, 2]);
  assert.deepEqual(outer.predict(sequences).array(), before);
});

test('a mask stays when the shape changes', () => {
  const mask = tensor([[true, true, false]]);
  const y = begun([3, 1]).apply(tensor([[1, 2, 3]]).withMask(mask));
  assert.deepEqual([y.shape, y.mask.array()], [[1, 3, 1], mask.array()]);
  const passed = begun([3, 1]).apply([[1, 2, 3]], { mask });
  assert.deepEqual(passed.mask.array(), mask.array());
});

test('the first call of a model without an Input tells the rank', () => {
  const model = new Sequential([relu()]);
  assert.deepEqual(model.apply(ops.ones([2, 4])).shape, [2, 4]);
  assert.deepEqual(model.apply(ops.ones([2, 4, 1])).shape, [2, 4]);
  assert.deepEqual(model.predict(ops.ones([3, 5])).shape, [3, 5]);
  assert.throws(() => model.apply(ops.ones([2, 4, 2])), ShapeError);
  // Its dtype does not count.
  const ids = tensor([[1, 2]], { dtype: 'int32' });
  const negative = layers.lambda((x) => ops.negative(x));
  assert.equal(new Sequential([negative]).apply(ids).dtype, 'int32');
});

test('in a graph sizes are compared, too', () => {
  const model = begun([4]);
  assert.throws(() => model.apply(Input({ shape: [5] })), ShapeError);
  assert.deepEqual(model.apply(Input({ shape: [null] })).shape, [null, null]);
  const input = Input({ shape: [4] });
  const functional = new Model({ inputs: input, outputs: relu().apply(input) });
  assert.throws(() => functional.apply(Input({ shape: [5] })), ShapeError);
  assert.deepEqual(functional.apply(Input({ shape: [4, 1] })).shape, [null, 4]);
});

test('an entry of a dictionary is found by the name of the Input', () => {
  const model = new Sequential([Input({ shape: [2], name: 'a' }), relu()]);
  assert.deepEqual(model.apply({ a: [[1, -2]] }).array(), [[1, 0]]);
  assert.deepEqual(model.predict({ a: [[1, -2]] }).array(), [[1, 0]]);
  assert.throws(() => model.apply({ b: [[1, -2]] }), ValueError);
});

test('a model without an Input may begin with a layer of several tensors', () => {
  class Sum extends Layer {
    call([a, b]) {
      return ops.add(a, b);
    }
  }
  const model = new Sequential([new Sum(), relu()]);
  assert.deepEqual(model.apply([tensor([[1]]), tensor([[2]])]).array(), [[3]]);
  class Difference extends Layer {
    call({ a, b }) {
      return ops.subtract(a, b);
    }
  }
  const named = new Sequential([new Difference(), relu()]);
  const inputs = { b: tensor([[2]]), a: tensor([[5]]) };
  assert.deepEqual(named.apply(inputs).array(), [[3]]);
  assert.deepEqual(named.predict(inputs).array(), [[3]]);
});
