// SPDX-License-Identifier: MIT
// Files of weights with the state of the optimizer, as Keras saves and loads them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as mf from '../../dist/train.js';
import { treeH5 } from '../support/legacy_files.js';
import { warnings } from '../support/train.js';
import { close } from '../support/watch.js';

const { layers, optimizers, Sequential, Input } = mf;
const fixture = (name) => new URL(`../fixtures/weights_state/${name}`, import.meta.url);
const recorded = JSON.parse(readFileSync(fixture('recorded.json'), 'utf8'));

await mf.ready({ seed: 1 });
const x = [
  [1, 2],
  [3, 4],
  [0.5, -1],
  [2, 0],
];
const y = [[1], [2], [-1], [0.5]];
const sgd = (learningRate = 0.05) => optimizers.sgd({ learningRate, momentum: 0.9 });

function make(optimizer) {
  const model = new Sequential([new Input({ shape: [2] }), layers.dense({ units: 1 })]);
  model.setWeights([[[0.3], [-0.2]], [0.1]]);
  if (optimizer) model.compile({ optimizer, loss: 'mse' });
  return model;
}

const options = { batchSize: 2, shuffle: false, verbose: 0 };
const fit = async (model, epochs) => (await model.fit(x, y, { ...options, epochs })).history.loss;

async function trained(optimizer) {
  const model = make(optimizer);
  await fit(model, 3);
  return model;
}

function built() {
  const model = make(sgd());
  model.optimizer.build(model.trainableVariables);
  return model;
}

const targets = {
  compiled: () => make(sgd()),
  trained: () => trained(sgd()),
  built,
  'trained with Adam': () => trained(optimizers.adam({ learningRate: 0.05 })),
  clone: () => mf.cloneModel(make(sgd())),
};

/** The own file in place of Keras's. */
const own = {
  'trained.weights.h5': async () => {
    const model = make(sgd());
    await fit(model, 2);
    return model.saveWeights();
  },
  'compiled.weights.h5': () => make(sgd(0.2)).saveWeights(),
  'plain.weights.h5': () => make().saveWeights(),
};

for (const { file, target, rate, steps, losses, skipped } of recorded) {
  for (const writer of ['Keras', 'maskflow']) {
    test(`${file} of ${writer}, ${target}: trains on as in Keras`, async () => {
      const source = writer === 'Keras' ? readFileSync(fixture(file)) : await own[file]();
      const model = await targets[target]();
      const said = await warnings(() => model.loadWeights(source));
      close(model.optimizer.learningRate, rate, 1e-7);
      assert.equal(model.optimizer.iterations, steps);
      for (const [i, loss] of (await fit(model, 2)).entries()) close(loss, losses[i], 2e-5 * loss);
      // A file without any state is the usual one, and no reason to warn.
      const isWarned = skipped && !file.startsWith('plain');
      assert.equal(said.length, isWarned ? 1 : 0, said.join('\n'));
    });
  }
}

test('the remedy of the warning restores the state', async () => {
  const model = make(sgd());
  const source = readFileSync(fixture('trained.weights.h5'));
  const [warning] = await warnings(() => model.loadWeights(source));
  assert.match(warning, /has 4 variables of an optimizer, but 'sgd' of 'sequential\w*' has 2/);
  const [, remedy] = /call (.*) before loadWeights\(\)$/.exec(warning);
  new Function('model', remedy)(model);
  await model.loadWeights(source);
  assert.equal(model.optimizer.iterations, 4);
});

test('a file that does not fit changes neither weights nor optimizer', async () => {
  const model = await trained(sgd());
  const other = new Sequential([new Input({ shape: [1] }), layers.dense({ units: 2 })]);
  other.compile({ optimizer: sgd(), loss: 'mse' });
  await other.fit([[1]], [[1, 2]], { verbose: 0 });
  const before = [...model.getWeights(), ...model.optimizer.getWeights()].map(String);
  await assert.rejects(model.loadWeights(await other.saveWeights()), mf.FormatError);
  const after = [...model.getWeights(), ...model.optimizer.getWeights()].map(String);
  assert.deepEqual(after, before);
});

test('weights of another shape leave the optimizer as it was', async () => {
  const model = await trained(sgd());
  // The state of the optimizer fits, the number of layers does not.
  const other = new Sequential([
    new Input({ shape: [2] }),
    layers.dense({ units: 1 }),
    layers.dense({ units: 1, trainable: false }),
  ]);
  other.compile({ optimizer: sgd(), loss: 'mse' });
  await other.fit(x, y, { verbose: 0 });
  const before = model.optimizer.getWeights().map(String);
  await assert.rejects(model.loadWeights(await other.saveWeights()), mf.FormatError);
  assert.deepEqual(model.optimizer.getWeights().map(String), before);
});

test('a function as learning rate stays', async () => {
  const rate = (step) => 0.05 / (1 + step);
  const optimizer = () => optimizers.sgd({ learningRate: rate, momentum: 0.9 });
  const model = await trained(optimizer());
  const copy = await trained(optimizer());
  await fit(copy, 2);
  assert.deepEqual(await warnings(async () => copy.loadWeights(await model.saveWeights())), []);
  assert.equal(copy.optimizer.iterations, model.optimizer.iterations);
  assert.deepEqual(await fit(copy, 2), await fit(model, 2));
});

test('a checkpoint of weights continues as if training had not stopped', async () => {
  const make3 = () => make(optimizers.adam({ learningRate: 0.1 }));
  const model = make3();
  await fit(model, 2);
  const bytes = await model.saveWeights();
  const expected = await fit(model, 3);
  const resumed = make3();
  resumed.optimizer.build(resumed.trainableVariables);
  await resumed.loadWeights(bytes);
  assert.deepEqual(await fit(resumed, 3), expected);
});

test('weights of a whole .keras file restore the state, too', async () => {
  const model = await trained(sgd());
  const bytes = await model.save();
  const copy = built();
  await copy.loadWeights(bytes);
  assert.deepEqual(await fit(copy, 2), await fit(model, 2));
});

/** Weights and the state of Adam as Keras 2 orders it: all momentums, then all velocities. */
const keras2File = (list) => {
  const array = (shape, ...data) => ({ shape, data: Float32Array.from(data) });
  const [kernel, bias] = [array([2, 1], 5, 6), array([1], 7)];
  const state = [array([], 4), array([], 0.05), kernel, bias, kernel, bias];
  return treeH5({
    [`${list}/dense/vars/0`]: kernel,
    [`${list}/dense/vars/1`]: bias,
    ...Object.fromEntries(state.map((each, i) => [`optimizer/vars/${i}`, each])),
  });
};

for (const [list, expected] of [
  ['layers', /the state of another optimizer than 'adam' of .*: only the weights are loaded/],
  ['_layer_checkpoint_dependencies', null],
]) {
  test(`the weights of a file of Keras 2 load without its optimizer: ${list}`, async () => {
    const model = await trained(optimizers.adam({ learningRate: 0.05 }));
    const before = model.optimizer.getWeights().map(String);
    const said = await warnings(() => model.loadWeights(keras2File(list)));
    assert.deepEqual(model.optimizer.getWeights().map(String), before);
    assert.deepEqual(model.getWeights()[0].array(), [[5], [6]]);
    assert.equal(said.length, expected ? 1 : 0);
    if (expected) assert.match(said[0], expected);
  });
}
