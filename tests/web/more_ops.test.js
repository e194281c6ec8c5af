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
