// SPDX-License-Identifier: MIT
// Training continues from files: files that Keras saved after some epochs, and files that maskflow
// saved.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/train.js';
import {
  compileOptions,
  dataOf,
  fitOptions,
  logDifference,
  modelOf,
  read,
  runs,
  tensorDifference,
} from '../support/fit_runs.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const folder = new URL('../fixtures/training/fit/', import.meta.url);
const resumableRuns = runs.filter((name) => read(name).resume);

test('there are enough files to resume from', () => {
  assert.ok(resumableRuns.length >= 7, `${resumableRuns.length}`);
});

/** Returns the data and the options of one further epoch. */
function oneMore(run) {
  const { callbacks: _, epochs: __, ...options } = fitOptions(run);
  const { x, y, sampleWeight } = dataOf(run);
  return [x, y, { ...options, ...(sampleWeight && { sampleWeight }) }];
}

async function resumeDifferences(model, run) {
  const { expect } = run.resume;
  const { history } = await model.fit(...oneMore(run));
  return [
    logDifference(history, expect.history, expect.history_spread, 'history'),
    tensorDifference(model.getWeights(), expect.weights, 'weight'),
    tensorDifference(model.optimizer.getWeights(), expect.optimizer_variables, 'variable', 1e-6),
  ].filter(Boolean);
}

describe("Keras's files continue as recorded", () => {
  for (const name of resumableRuns) {
    test(name, async () => {
      const run = read(name);
      const bytes = new Uint8Array(readFileSync(new URL(run.resume.file, folder)));
      const model = await mf.loadModel(bytes);
      const { iterations } = model.optimizer;
      assert.ok(iterations > 0);
      // A file must contain the complete state, so saving and loading again changes nothing.
      const copy = await mf.loadModel(await model.save());
      assert.deepEqual(await resumeDifferences(model, run), []);
      assert.deepEqual(await resumeDifferences(copy, run), []);
      model.dispose();
      copy.dispose();
    });
  }
});

const bits = (tensors) =>
  tensors.map((tensor) => {
    const data = [...new Uint8Array(tensor.data().buffer)];
    tensor.dispose();
    return data;
  });
const stateOf = (model) => [bits(model.getWeights()), bits(model.optimizer.getWeights())];

describe('saved and loaded between two epochs, every recorded run ends with the same bits', () => {
  for (const name of runs.filter((name) => !read(name).batches)) {
    test(name, async () => {
      const run = read(name);
      const trainingArguments = oneMore(run);
      const model = modelOf(run);
      model.compile(compileOptions(run));
      // At the end of fit, the averages replace the weights, and the states are those of the first
      // batch.
      await model.fit(...trainingArguments);
      const bytes = await model.save();
      const loaded = await mf.loadModel(bytes);
      assert.deepEqual(stateOf(loaded), stateOf(model));
      loaded.resetStates();
      model.resetStates();
      const histories = [
        await model.fit(...trainingArguments),
        await loaded.fit(...trainingArguments),
      ];
      assert.deepEqual(histories[1].history, histories[0].history);
      assert.deepEqual(stateOf(loaded), stateOf(model));
      assert.deepEqual(loaded.optimizer.getConfig(), model.optimizer.getConfig());
      model.dispose();
      loaded.dispose();
    });
  }
});
