// SPDX-License-Identifier: MIT
// Writers of graphs need no stack as deep as the graph: here a chain of 2,000 operations is written
// in a thread whose stack is a tenth of the usual one.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';

const entry = new URL('../../../dist/index.js', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'maskflow-deep-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs in the thread: writes the chain, and reports the name and message of an error. */
const source = (operation, write) => `
  const { parentPort } = require('node:worker_threads');
  (async () => {
    const mf = await import(${JSON.stringify(entry)});
    await mf.ready();
    const input = mf.Input({ shape: [1] });
    let output = mf.layers.dense({ units: 1 }).apply(input);
    for (let i = 0; i < 2000; i++) output = ${operation};
    const model = new mf.Model({ inputs: input, outputs: output });
    await model.${write};
  })().then(
    () => parentPort.postMessage('written'),
    (error) => parentPort.postMessage(\`\${error.name}: \${error.message}\`),
  );`;

async function outcomeOf(operation, write) {
  const worker = new Worker(source(operation, write), {
    eval: true,
    resourceLimits: { stackSizeMb: 0.4 },
  });
  const [outcome] = await once(worker, 'message');
  await worker.terminate();
  return outcome;
}

const path = (name) => JSON.stringify(join(folder, name));
const dense = 'mf.layers.dense({ units: 1 }).apply(output)';
const add = 'mf.ops.add(output, 1)';

for (const [what, operation, write, expected] of [
  ['weights of layers', dense, `saveWeights(${path('layers.weights.h5')})`, /^written$/],
  ['weights beside ops', add, `saveWeights(${path('ops.weights.h5')})`, /^written$/],
  ['a model', add, `save(${path('ops.keras')})`, /^written$/],
  ['files of TensorFlow.js', dense, `saveTfjs(${path('model.json')})`, /^written$/],
  ['ops that TensorFlow.js lacks', add, `saveTfjs(${path('ops.json')})`, /lacks the operation Add/],
])
  test(`${what}: a chain of 2,000 is written`, async () => {
    assert.match(await outcomeOf(operation, write), expected);
  });
