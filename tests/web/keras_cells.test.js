// SPDX-License-Identifier: MIT
// Replays random custom cells that tests/fuzz/keras_cells.py recorded.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as mf from '../../dist/train.js';
import { checkCells } from '../fuzz/replay_cells.js';

before(() => mf.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'silent' }));

const fixture = new URL('../fixtures/programs/cells.jsonl.gz', import.meta.url);
const cases = gunzipSync(readFileSync(fixture))
  .toString()
  .split('\n')
  .map((line) => JSON.parse(line));

for (const recorded of cases) {
  test(`computes as in Keras: ${recorded.name}`, async () => {
    assert.equal(await checkCells(recorded), null);
  });
}

test('a case that differs in a number or in the order of weights is reported', async () => {
  const copy = structuredClone(
    cases.find(({ steps }) => steps.some(({ do: done }) => done === 'call')),
  );
  const { result } = copy.steps.find(({ do: done }) => done === 'call');
  const bytes = Buffer.from(result[0].data, 'base64');
  bytes.writeFloatLE(bytes.readFloatLE(0) + 0.01, 0);
  result[0].data = bytes.toString('base64');
  assert.match(await checkCells(copy), /call: output 0: \[0\] is .*, not/);
  const other = structuredClone(cases[0]);
  other.steps[0].result.reverse();
  assert.match(await checkCells(other), /make: weights /);
});
