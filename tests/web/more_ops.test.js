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
