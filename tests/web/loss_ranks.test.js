// SPDX-License-Identifier: MIT
// The ranks of targets and predictions that a function as loss receives. The shapes and numbers
// are those of Keras 3.15.1; metrics receive targets as they are.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';

before(() => mf.ready({ seed: 1 }));

/** Returns a model with these layers, and the shapes that its loss and its metric receive. */
function watched(shape, layers, { hasMetric = false } = {}) {
  const model = new mf.Sequential([mf.Input({ shape }), ...layers]);
  const seen = { loss: [], metric: [] };
  const watch = (into) => (yTrue, yPred) => {
    into.push([yTrue.shape, yPred.shape].map(String).join(' and '));
    return mf.ops.mean(mf.ops.square(mf.ops.subtract(yTrue, yPred)), -1);
  };
  const metrics = hasMetric ? [watch(seen.metric)] : undefined;
  model.compile({ optimizer: 'sgd', loss: watch(seen.loss), metrics });
  return { model, seen };
}

const sum = () => mf.layers.dense({ units: 1, kernelInitializer: 'ones' });

test('targets of [batch] are [batch, 1] beside predictions of [batch, 1]', async () => {
  const { model, seen } = watched([2], [sum()], { hasMetric: true });
  const x = [
    [1, 2],
    [3, 4],
    [5, 6],
  ];
  const { loss } = await model.evaluate(x, [1, 2, 3], { verbose: 0 });
  assert.equal(seen.loss.at(-1), '3,1 and 3,1');
  assert.equal(seen.metric.at(-1), '3 and 3,1');
  // The mean of (3 - 1)², (7 - 2)² and (11 - 3)²
  assert.ok(Math.abs(loss - 31) < 1e-5, `${loss}`);
  await model.fit(x, [1, 2, 3], { epochs: 1, verbose: 0 });
  assert.equal(seen.loss.at(-1), '3,1 and 3,1');
});

for (const [name, layers, targets] of [
  ['predictions', () => [sum()], [3, 4]],
  ['targets', () => [sum(), mf.layers.flatten()], [3, 4, 1]],
])
  test(`a last axis of 1 that only the ${name} have is removed`, async () => {
    const { model, seen } = watched([4, 2], layers());
    const y = mf.ops.zeros(targets);
    const { loss } = await model.evaluate(mf.ops.ones([3, 4, 2]), y, { verbose: 0 });
    assert.equal(seen.loss.at(-1), '3,4 and 3,4');
    assert.ok(Math.abs(loss - 4) < 1e-6, `${loss}`);
  });

test('other ranks reach the loss as they are', async () => {
  const { model, seen } = watched([2], [mf.layers.dense({ units: 2 })]);
  await model.evaluate(
    [
      [1, 2],
      [3, 4],
    ],
    [0, 1],
    { verbose: 0 },
  );
  assert.equal(seen.loss.at(-1), '2 and 2,2');
});
