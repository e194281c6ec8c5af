// SPDX-License-Identifier: MIT
// Ops equal real Keras: results, gradients and models from files of ops that maskflow/recurrent
// leaves out, and the results and refusals of all ops at their edges. tests/fuzz/keras_calls.py and
// keras_edges.py recorded the calls.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { checkCall, recordedCalls } from '../support/op_calls.js';
import { checkEdge } from '../support/op_edges.js';

before(() => mf.ready());

const checks = { calls: checkCall, edges: checkEdge };
for (const [name, check] of Object.entries(checks)) {
  const calls = recordedCalls(name);
  for (const op of new Set(calls.map((call) => call.op))) {
    test(`${op} equals Keras: ${name}`, async () => {
      for (const [i, call] of calls.entries()) {
        if (call.op === op) assert.equal(await check(call), null, `call ${i}`);
      }
    });
  }
}

test('activations that only clip return integers for integers, as in Keras', async () => {
  const { layers, ops, tensor } = mf;
  const x = tensor(
    [
      [-7, -1, 0],
      [2, 5, 16_777_219],
    ],
    { dtype: 'int32' },
  );
  const equals = (y, dtype, numbers) => {
    assert.equal(y.dtype, dtype);
    assert.deepEqual(y.array().flat(), numbers);
  };
  equals(ops.relu(x), 'int32', [0, 0, 0, 2, 5, 16_777_219]);
  equals(ops.relu6(x), 'int32', [0, 0, 0, 2, 5, 6]);
  equals(ops.hardTanh(x), 'int32', [-1, -1, 0, 1, 1, 1]);
  equals(ops.relu(x, { maxValue: 4 }), 'int32', [0, 0, 0, 2, 4, 4]);
  // keras.activations.relu(x, max_value=2.5) of PyTorch's Keras 3.15.1, and of NumPy's.
  equals(ops.relu(x, { maxValue: 2.5 }), 'int32', [0, 0, 0, 2, 2, 2]);
  assert.equal(ops.relu(x, { negativeSlope: 0.5 }).dtype, 'float32');
  assert.equal(ops.silu(x).dtype, 'float32');
  // Functions of rows return the floats of the same numbers.
  for (const name of ['softmax', 'logSoftmax', 'sparsemax', 'sparseSigmoid']) {
    const [ids, numbers] = ['int32', 'float32'].map((type) => ops[name](ops.cast(x, type)));
    assert.deepEqual(ids.array(), numbers.array(), name);
  }
  const input = mf.Input({ shape: [3], dtype: 'int32' });
  const symbol = ops.relu(input);
  assert.equal(symbol.dtype, 'int32');
  const model = new mf.Model({ inputs: input, outputs: layers.flatten().apply(symbol) });
  equals(model.predict(x), 'int32', [0, 0, 0, 2, 5, 16_777_219]);
});

test('relu: bounds, thresholds and their derivatives at the kinks', () => {
  // keras.activations.relu of Keras 3.15.1 with PyTorch: x, settings, y, derivative.
  const cases = [
    [-2, { threshold: -1, maxValue: 1 }, 0, 0],
    [-0.5, { threshold: -1, maxValue: 1 }, 0, 0],
    [0, { threshold: -1, maxValue: 1 }, 0, 1],
    [0.25, { threshold: -1, maxValue: 1 }, 0.25, 1],
    [-0.5, { threshold: -1 }, -0.5, 1],
    [-2, { threshold: -1, maxValue: 6, negativeSlope: 0.5 }, -0.5, 0.5],
    [-0.5, { threshold: -1, maxValue: 6, negativeSlope: 0.5 }, 0, 0],
    [1, { maxValue: 1 }, 1, 1],
    [8, { maxValue: 1 }, 1, 0],
    [6, { maxValue: 6 }, 6, 0],
    [6, { maxValue: 6, threshold: -1 }, 6, 1],
    [4, { maxValue: 4, negativeSlope: 0.25 }, 4, 1],
    [0, { maxValue: 4, negativeSlope: 0.25 }, 0, 0],
    [0, { negativeSlope: 0.5 }, 0, 0.5],
    [1, { threshold: 1 }, 0, 0],
    [1, { threshold: 1, negativeSlope: 0.5 }, 0, 0],
    [0, { threshold: 1, negativeSlope: 0.5 }, -0.5, 0.5],
  ];
  for (const [x, settings, y, derivative] of cases) {
    const point = mf.tensor([x]);
    const { value, gradients } = mf.valueAndGradients(
      () => mf.ops.sum(mf.ops.relu(point, settings)),
      [point],
    );
    const got = [value, gradients[0]].map((each) => each.data()[0] + 0);
    assert.deepEqual(got, [y, derivative], `${x} ${JSON.stringify(settings)}`);
  }
});
