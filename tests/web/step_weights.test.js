// SPDX-License-Identifier: MIT
// One tensor of weights of steps for several outputs.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';

before(() => mf.ready());
const { Input, Model, layers, ops, tensor } = mf;

test('trainOnBatch and testOnBatch weigh the steps of all outputs with one tensor', async () => {
  const input = Input({ shape: [2, 2] });
  const outputs = ['a', 'b'].map((name) =>
    layers.activation({ activation: 'linear', name }).apply(input),
  );
  const model = new Model({ inputs: input, outputs });
  model.compile({ loss: 'mse', weightedMetrics: [['mae'], ['mae']], optimizer: 'sgd' });
  const steps = ops.reshape(ops.arange(8, { dtype: 'float32' }), [2, 2, 2]);
  const targets = [ops.zerosLike(steps), ops.onesLike(steps)];
  const weights = tensor([
    [1, 2],
    [0, 4],
  ]);
  const last = layers
    .dense({ units: 2, name: 'last' })
    .apply(layers.lstm({ units: 2 }).apply(input));
  const mixed = new Model({ inputs: input, outputs: [outputs[0], last] });
  mixed.compile({ loss: 'mse' });
  for (const call of ['testOnBatch', 'trainOnBatch']) {
    const one = await model[call](steps, targets, { sampleWeight: weights });
    assert.deepEqual(one, await model[call](steps, targets, { sampleWeight: [weights, weights] }));
    // Real Keras returns these numbers.
    assert.ok(Math.abs(one.loss - 77.75) < 1e-4, `${one.loss}`);
    const byRow = mixed[call](
      steps,
      [
        steps,
        tensor([
          [1, 2],
          [3, 4],
        ]),
      ],
      { sampleWeight: weights },
    );
    await assert.rejects(byRow, /has the shape \[2,2\], but weights for all 2 outputs/);
  }
  const refused = async () => model.evaluate(steps, targets, { sampleWeight: weights });
  await assert.rejects(refused, /has the shape \[2,2\], but weights for all 2 outputs/);
});
