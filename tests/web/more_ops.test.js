// SPDX-License-Identifier: MIT
// Ops that maskflow/recurrent leaves out equal real Keras: results, gradients, and models from
// files. tests/fuzz/keras_calls.py recorded the calls.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as mf from '../../dist/train.js';
import { checkCall } from '../support/op_calls.js';

before(() => mf.ready());

const path = new URL('../fixtures/ops/calls.jsonl.gz', import.meta.url);
const lines = gunzipSync(readFileSync(path)).toString().split('\n');
const calls = lines.filter(Boolean).map((line) => JSON.parse(line));

for (const op of new Set(calls.map((call) => call.op))) {
  test(`${op} equals Keras`, async () => {
    for (const [i, call] of calls.entries()) {
      if (call.op === op) assert.equal(await checkCall(call), null, `call ${i}`);
    }
  });
}
