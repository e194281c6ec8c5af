// SPDX-License-Identifier: MIT
// Wrong shapes of masks, dtypes, arguments and keys are refused, with these messages.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { leavesNothing, rows } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { Input, Layer, layers, Model, ops } = mf;
const assertRefuses = (Class, pattern, f) =>
  assert.throws(f, (error) => {
    assert.ok(error instanceof Class, `${error.name}: ${error.message}`);
    assert.match(error.message, pattern);
    return true;
  });

describe('a mask whose shape does not fit', () => {
  const x = () => ops.ones([2, 3, 4]);

  test('is refused at once', () => {
    leavesNothing(() =>
      mf.tidy(() => {
        for (const mask of ['TF', 'TTFFT TTFFT', 'TTT TTT TTT']) {
          assertRefuses(
            mf.ShapeError,
            /mask of shape \(\d, \d\) does not fit .*\(2, 3, 4\).*\(2, 3\)/,
            () => x().withMask(rows(mask)),
          );
          assertRefuses(mf.ShapeError, /mask of shape/, () => x().withMask(mf.tensor(rows(mask))));
          assertRefuses(mf.ShapeError, /mask of shape/, () =>
            layers.dense({ units: 2 }).apply(x(), { mask: rows(mask) }),
          );
        }
        assertRefuses(mf.ShapeError, /mask of shape \(\)/, () => x().withMask(mf.tensor(true)));
        assertRefuses(mf.ShapeError, /mask of shape/, () =>
          ops.ones([2, 3]).withMask(ops.ones([2, 3, 1])),
        );
      }),
    );
  });

  test('may have any shape that Keras accepts: all steps, one row for all, axes of size 1, channels first', () => {
    for (const shape of [[2, 3], [1, 3], [2, 3, 1], [2], [2, 3, 4], [2, 4]]) {
      assert.deepEqual(x().withMask(ops.ones(shape)).mask.shape, shape);
    }
    const symbol = Input({ shape: [null, 4] });
    const mask = ops.notEqual(Input({ shape: [null], dtype: 'int32' }), 0);
    assert.deepEqual(symbol.withMask(mask).mask.shape, [null, null]);
  });
});

test('dtype policies are accepted and kept, and compute in float32; unknown dtypes are refused', () => {
  const policy = { module: 'keras', class_name: 'DTypePolicy', config: { name: 'mixed_float16' } };
  for (const dtype of ['float16', 'mixed_bfloat16', policy]) {
    const layer = layers.dense({ units: 2, dtype });
    assert.equal(layer.apply([[1, 2]]).dtype, 'float32');
    assert.deepEqual(layer.getConfig().dtype, dtype);
  }
  class Custom extends Layer {
    call(inputs) {
      return inputs;
    }
  }
  assert.equal(new Custom({ dtype: 'float16' }).getConfig().dtype, 'float16');
  for (const dtype of ['flot32', 'int8_from_float32', 16]) {
    const message = /'dtype' is .*mixed_float16.*float32/;
    assertRefuses(mf.UnsupportedError, message, () => layers.dense({ units: 2, dtype }));
    assertRefuses(mf.UnsupportedError, message, () => new Custom({ dtype }));
  }
  assertRefuses(mf.UnsupportedError, /'float16'.*'float32'/, () => ops.cast([1], 'float16'));
  assertRefuses(mf.ValueError, /dtype is 'float16'/, () => mf.tensor([1], { dtype: 'float16' }));
});

test('a layer with one input refuses two tensors and unknown arguments', () => {
  const x = ops.ones([2, 3, 4]);
  assertRefuses(mf.ValueError, /LSTM takes one tensor but was given 2/, () =>
    layers.lstm({ units: 2 }).apply([x, x]),
  );
  assertRefuses(
    mf.ValueError,
    /LSTM has no argument 'inital_state' \(did you mean 'initial_state'\?\); it has mask, training initial_state/,
    () => layers.lstm({ units: 2 }).apply(x, { initalState: [x] }),
  );
  assertRefuses(mf.ValueError, /Dense has no argument 'causal'; it has mask, training$/, () =>
    layers.dense({ units: 2 }).apply(x, { causal: true }),
  );
  assertRefuses(mf.ShapeError, /rank 2 or more, but got shape \(1,\)/, () =>
    layers.dense({ units: 2 }).build([1]),
  );
  assertRefuses(mf.ShapeError, /rank 3 or more, but got shape \(1,\)/, () =>
    layers.lstm({ units: 2 }).build([1]),
  );
});

test('ops refuse wrong keys and sizes; errors of symbolic tensors do not show internal numbers', () => {
  const x = ops.ones([2, 3]);
  for (const key of [['x'], 'x', [{ strat: 1 }], [true]]) {
    assertRefuses(mf.ValueError, /the key has the item .*\{ start, stop, step \}/, () =>
      ops.getItem(x, key),
    );
  }
  assertRefuses(mf.ShapeError, /1000000000.*too many elements/, () => ops.repeat(x, 1e9));
  assertRefuses(mf.ShapeError, /negative dimension -1/, () => ops.zeros([-1]));
  const symbol = Input({ shape: [null, 4] });
  assertRefuses(mf.ShapeError, /\(None, None, 4\) and \(3,\)/, () =>
    ops.add(symbol, ops.ones([3])),
  );
  class Sum extends Layer {
    call(inputs) {
      return ops.add(inputs, ops.ones([3]));
    }
  }
  assertRefuses(mf.ShapeError, /sum\S*: .*\(None, None, 4\) and \(3,\)/, () =>
    new Sum().apply(symbol),
  );
});

test('a model that starts in the middle of a graph has its own inputs and weights, and can be serialized', () => {
  const h = layers.lstm({ units: 3, returnSequences: true }).apply(Input({ shape: [null, 4] }));
  const dense = layers.dense({ units: 2 });
  const model = new Model({ inputs: h, outputs: dense.apply(h) });
  assert.deepEqual(
    model.layers.map(({ className }) => className),
    ['InputLayer', 'Dense'],
  );
  assert.equal(model.weights.length, 2);
  const x = ops.ones([1, 2, 3]);
  const copy = Model.fromConfig(model.getConfig());
  copy.setWeights(model.getWeights());
  assert.deepEqual(model.predict(x).array(), dense.apply(x).array());
  assert.deepEqual(copy.predict(x).array(), dense.apply(x).array());
});
