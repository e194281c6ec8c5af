// SPDX-License-Identifier: MIT
// Replays whole programs that tests/fuzz/keras_workflows.py recorded: each step as Keras took it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as mf from '../../dist/train.js';
import { checkWorkflow, replayWorkflow } from '../fuzz/replay_workflows.js';

before(() => mf.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'silent' }));

const fixture = new URL('../fixtures/programs/workflows.jsonl.gz', import.meta.url);
const workflows = gunzipSync(readFileSync(fixture))
  .toString()
  .split('\n')
  .map((line) => JSON.parse(line));

for (const workflow of workflows) {
  test(`runs as in Keras: ${workflow.name}`, async () => {
    assert.equal(await checkWorkflow(workflow), null);
  });
}

/** Changes the first step of a kind in a recording, and returns the differences. */
async function changed(kind, change) {
  const workflow = workflows.find(({ steps }) =>
    steps.some(({ do: done, result }) => done === kind && result),
  );
  const copy = structuredClone(workflow);
  change(copy.steps.find(({ do: done, result }) => done === kind && result));
  return (await replayWorkflow(copy)).join('\n');
}

test('a step that differs in a number, a count, a log, an event or a refusal is reported', async () => {
  const shiftFirst = (tensor) => {
    const bytes = Buffer.from(tensor.data, 'base64');
    bytes.writeFloatLE(bytes.readFloatLE(0) + 0.01, 0);
    tensor.data = bytes.toString('base64');
  };
  const weights = await changed('fit', ({ result }) => shiftFirst(result.weights[0]));
  assert.match(weights, /fit: weights after 0: .*number 0 is .*, not/);
  const logs = await changed('fit', ({ result }) => {
    result.logs.loss[0] += 0.01;
  });
  assert.match(logs, /fit: history loss: .*number 0 is .*, not/);
  const names = await changed('fit', ({ result }) => {
    result.logs.more = [1];
  });
  assert.match(names, /fit: history: names: /);
  const events = await changed('fit', ({ result }) => {
    result.events.push(['on_train_end', []]);
  });
  assert.match(events, /fit: event \d+: undefined, not \["on_train_end",\[\]\]/);
  const counts = await changed('fill', (step) => {
    step.counts = { [step.on]: [1, 99, 0] };
  });
  assert.match(counts, /fill: counts of \w+: \[1,\d+,\d+\], not \[1,99,0\]/);
  const shapes = await changed('fill', ({ result }) => result.pop());
  assert.match(shapes, /fill: weights: /);
  const refusal = await changed('fit', (step) => {
    step.error = 'ValueError: no';
  });
  assert.match(refusal, /fit: accepted; Keras: ValueError: no/);
});
