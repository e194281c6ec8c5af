// SPDX-License-Identifier: MIT
// What must not be accepted in silence: shapes of masks, dtypes, arguments, keys; and texts of errors.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { leavesNothing, rows } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { Input, Layer, layers, Model, ops } = mf;
const refused = (Class, pattern, f) =>
  assert.throws(f, (error) => {
    assert.ok(error instanceof Class, `${error.name}: ${error.message}`);
    assert.match(error.message, pattern);
    return true;
  });

describe('the shape of a mask', () => {
  const x = () => ops.ones([2, 3, 4]);

  test('is checked at once', () => {
    leavesNothing(() =>
      mf.tidy(() => {
        for (const mask of ['TF', 'TTFFT TTFFT', 'TTT TTT TTT']) {
          refused(
            mf.ShapeError,
            /mask of shape \(\d, \d\) does not fit .*\(2, 3, 4\).*\(2, 3\)/,
            () => x().withMask(rows(mask)),
          );
          refused(mf.ShapeError, /mask of shape/, () => x().withMask(mf.tensor(rows(mask))));
          refused(mf.ShapeError, /mask of shape/, () =>
            layers.dense({ units: 2 }).apply(x(), { mask: rows(mask) }),
          );
        }
        refused(mf.ShapeError, /mask of shape \(\)/, () => x().withMask(mf.tensor(true)));
        refused(mf.ShapeError, /mask of shape/, () =>
          ops.ones([2, 3]).withMask(ops.ones([2, 3, 1])),
        );
      }),
    );
  });

  test('may be any that Keras reads: all steps, one row for all, with axes of size 1, channels first', () => {
    for (const shape of [[2, 3], [1, 3], [2, 3, 1], [2], [2, 3, 4], [2, 4]]) {
      assert.deepEqual(x().withMask(ops.ones(shape)).mask.shape, shape);
    }
    const symbol = Input({ shape: [null, 4] });
    const mask = ops.notEqual(Input({ shape: [null], dtype: 'int32' }), 0);
    assert.deepEqual(symbol.withMask(mask).mask.shape, [null, null]);
  });
});

test('dtype policies are taken, kept, and computed in float32; what is none is refused', () => {
  const policy = { module: 'keras', class_name: 'DTypePolicy', config: { name: 'mixed_float16' } };
  for (const dtype of ['float16', 'mixed_bfloat16', policy]) {
    const layer = layers.dense({ units: 2, dtype });
    assert.equal(layer.apply([[1, 2]]).dtype, 'float32');
    assert.deepEqual(layer.getConfig().dtype, dtype);
  }
  class Mine extends Layer {
    call(inputs) {
      return inputs;
    }
  }
  assert.equal(new Mine({ dtype: 'float16' }).getConfig().dtype, 'float16');
  for (const dtype of ['flot32', 'int8_from_float32', 16]) {
    const wrong = /'dtype' is .*mixed_float16.*float32/;
    refused(mf.UnsupportedError, wrong, () => layers.dense({ units: 2, dtype }));
    refused(mf.UnsupportedError, wrong, () => new Mine({ dtype }));
  }
  refused(mf.UnsupportedError, /'float16'.*'float32'/, () => ops.cast([1], 'float16'));
  refused(mf.ValueError, /dtype is 'float16'/, () => mf.tensor([1], { dtype: 'float16' }));
});

test('a layer of one tensor takes one, and the arguments that it has', () => {
  const x = ops.ones([2, 3, 4]);
  refused(mf.ValueError, /LSTM takes one tensor but was given 2/, () =>
    layers.lstm({ units: 2 }).apply([x, x]),
  );
  refused(
    mf.ValueError,
    /LSTM has no argument 'inital_state' \(did you mean 'initial_state'\?\); it has mask, training initial_state/,
    () => layers.lstm({ units: 2 }).apply(x, { initalState: [x] }),
  );
  refused(mf.ValueError, /Dense has no argument 'causal'; it has mask, training$/, () =>
    layers.dense({ units: 2 }).apply(x, { causal: true }),
  );
  refused(mf.ShapeError, /rank 2 or more, but got shape \(1,\)/, () =>
    layers.dense({ units: 2 }).build([1]),
  );
  refused(mf.ShapeError, /rank 3 or more, but got shape \(1,\)/, () =>
    layers.lstm({ units: 2 }).build([1]),
  );
});

test('ops: keys, sizes, and errors of symbolic tensors without inner numbers', () => {
  const x = ops.ones([2, 3]);
  for (const key of [['x'], 'x', [{ strat: 1 }], [true]]) {
    refused(mf.ValueError, /the key has the item .*\{ start, stop, step \}/, () =>
      ops.getItem(x, key),
    );
  }
  refused(mf.ShapeError, /1000000000.*too many elements/, () => ops.repeat(x, 1e9));
  refused(mf.ShapeError, /negative dimension -1/, () => ops.zeros([-1]));
  const symbol = Input({ shape: [null, 4] });
  refused(mf.ShapeError, /\(None, None, 4\) and \(3,\)/, () => ops.add(symbol, ops.ones([3])));
  class Sum extends Layer {
    call(inputs) {
      return ops.add(inputs, ops.ones([3]));
    }
  }
  refused(mf.ShapeError, /sum\S*: .*\(None, None, 4\) and \(3,\)/, () => new Sum().apply(symbol));
});

test('a model that starts in the middle of a graph has inputs and weights of its own, and comes back', () => {
  const h = layers.lstm({ units: 3, returnSequences: true }).apply(Input({ shape: [null, 4] }));
  const dense = layers.dense({ units: 2 });
  const model = new Model({ inputs: h, outputs: dense.apply(h) });
  assert.deepEqual(
    model.layers.map(({ className }) => className),
    ['InputLayer', 'Dense'],
  );
  assert.equal(model.weights.length, 2);
  const x = ops.ones([1, 2, 3]);
  const again = Model.fromConfig(model.getConfig());
  again.setWeights(model.getWeights());
  assert.deepEqual(model.predict(x).array(), dense.apply(x).array());
  assert.deepEqual(again.predict(x).array(), dense.apply(x).array());
});
