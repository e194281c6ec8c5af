// SPDX-License-Identifier: MIT
// Files that go on training: what Keras saved after some epochs, and what is saved here.
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
const resumed = runs.filter((name) => read(name).resume);

test('all files are resumed', () => {
  assert.ok(resumed.length >= 7, `${resumed.length}`);
});

/** Data and options for one more epoch. */
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

describe("Keras's files go on as recorded", () => {
  for (const name of resumed) {
    test(name, async () => {
      const run = read(name);
      const bytes = new Uint8Array(readFileSync(new URL(run.resume.file, folder)));
      const model = await mf.loadModel(bytes);
      const { iterations } = model.optimizer;
      assert.ok(iterations > 0);
      // Written and read once more, it is the same.
      const again = await mf.loadModel(await model.save());
      assert.deepEqual(await resumeDifferences(model, run), []);
      assert.deepEqual(await resumeDifferences(again, run), []);
      model.dispose();
      again.dispose();
    });
  }
});

const bits = (tensors) =>
  tensors.map((one) => {
    const data = [...new Uint8Array(one.data().buffer)];
    one.dispose();
    return data;
  });
const stateOf = (model) => [bits(model.getWeights()), bits(model.optimizer.getWeights())];

describe('saved between two epochs, every recorded run ends with the same bits', () => {
  for (const name of runs.filter((one) => !read(one).batches)) {
    test(name, async () => {
      const run = read(name);
      const given = oneMore(run);
      const model = modelOf(run);
      model.compile(compileOptions(run));
      // (Averages become the weights when fit ends, and states are those of the first batch again.)
      await model.fit(...given);
      const bytes = await model.save();
      const loaded = await mf.loadModel(bytes);
      assert.deepEqual(stateOf(loaded), stateOf(model));
      loaded.resetStates();
      model.resetStates();
      const histories = [await model.fit(...given), await loaded.fit(...given)];
      assert.deepEqual(histories[1].history, histories[0].history);
      assert.deepEqual(stateOf(loaded), stateOf(model));
      assert.deepEqual(loaded.optimizer.getConfig(), model.optimizer.getConfig());
      model.dispose();
      loaded.dispose();
    });
  }
});
