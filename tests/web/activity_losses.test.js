// SPDX-License-Identifier: MIT
// Penalties of activity regularizers in `losses`, after calls outside of the usual training. Keras
// 3.15.1 computed the numbers.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';

before(() => mf.ready());
const { Input, Model, Sequential, layers, optimizers, ops, regularizers } = mf;

const x = [
  [1, 2],
  [3, -4],
  [0.5, 1],
];
const y = [[1], [2], [3]];
const ones = { kernelInitializer: 'ones' };
const stack = () => [
  Input({ shape: [2] }),
  layers.dense({ units: 2, ...ones, activityRegularizer: regularizers.l2(0.1) }),
  layers.activityRegularization({ l1: 0.05 }),
  layers.dense({ units: 1, ...ones, kernelRegularizer: regularizers.l2(0.01) }),
];
const expected = [0.81666666, 0.18333334, 0.02];

function near(actual, numbers) {
  assert.equal(actual.length, numbers.length);
  for (const [i, number] of numbers.entries()) {
    assert.ok(Math.abs(actual[i] - number) < 2e-6, `${actual} is not ${numbers}`);
  }
}
const numbersOf = (tensors) => tensors.map((loss) => loss.item());

test('a call of a model adds the penalties of its layers', () => {
  const model = new Sequential(stack());
  for (const options of [undefined, { training: true }, { training: false }]) {
    model.apply(x, options);
    near(numbersOf(model.losses), expected);
  }
  const [input, ...inside] = stack();
  const outputs = inside.reduce((tensor, layer) => layer.apply(tensor), input);
  const functional = new Model({ inputs: input, outputs });
  functional.apply(x);
  near(numbersOf(functional.losses), expected);
});

test('a call of a layer replaces the penalty of the call before', () => {
  const dense = layers.dense({ units: 2, ...ones, activityRegularizer: 'l2' });
  for (let call = 0; call < 3; call++) {
    dense.apply(x);
    near(numbersOf(dense.losses), [0.08166666]);
  }
});

test('a class of models adds the penalties of the layers inside', () => {
  class Sub extends Model {
    inner = new Sequential(stack());
    head = layers.dense({ units: 1, ...ones, activityRegularizer: 'l1' });
    call(inputs) {
      return this.head.apply(this.inner.apply(inputs));
    }
  }
  const model = new Sub();
  model.apply(x);
  const losses = numbersOf(model.losses).sort((a, b) => a - b);
  near(losses, [0.02, 0.03666667, 0.18333334, 0.81666666]);
});

test('an own training step counts them, with their gradients', async () => {
  class Own extends Sequential {
    trainStep([inputs, targets]) {
      const { value, aux, gradients } = mf.valueAndGradients(
        () => {
          const predictions = this.apply(inputs, { training: true });
          return [this.computeLoss(inputs, targets, predictions, null), predictions];
        },
        this.trainableVariables,
        { hasAux: true },
      );
      this.optimizer.apply(gradients, this.trainableVariables);
      this.metrics[0].updateState(value, { sampleWeight: 3 });
      return this.computeMetrics(inputs, targets, aux);
    }
  }
  const model = new Own(stack());
  model.compile({ optimizer: optimizers.sgd({ learningRate: 0.01 }), loss: 'mse' });
  const { history } = await model.fit(x, y, { epochs: 2, batchSize: 3, shuffle: false });
  near(history.loss, [14.6866674, 7.0638909]);
  near([...model.getWeights()[0].data()], [1.0647439, 1.0647439, 0.7207159, 0.7207159]);
  const usual = new Sequential(stack());
  usual.compile({ optimizer: optimizers.sgd({ learningRate: 0.01 }), loss: 'mse' });
  const { history: same } = await usual.fit(x, y, { epochs: 2, batchSize: 3, shuffle: false });
  near(same.loss, history.loss);
});

test('a training loop of your own sums model.losses', async () => {
  const model = new Sequential(stack());
  const { value, gradients } = mf.valueAndGradients(() => {
    const predictions = model.apply(x, { training: true });
    const losses = [mf.losses.meanSquaredError(y, predictions), ...model.losses];
    return losses.reduce((sum, loss) => ops.add(sum, loss));
  }, model.trainableVariables);
  near([value.item()], [14.6866674]);
  const usual = new Sequential(stack());
  const before = [...usual.getWeights()[0].data()];
  usual.compile({ optimizer: optimizers.sgd({ learningRate: 1 }), loss: 'mse' });
  await usual.fit(x, y, { batchSize: 3, shuffle: false });
  const after = [...usual.getWeights()[0].data()];
  near(
    [...gradients[0].data()],
    before.map((number, i) => number - after[i]),
  );
});

test('calls leave no tensors but the losses', () => {
  const model = new Sequential(stack());
  model.apply(x).dispose();
  const before = mf.memory().tensors;
  for (let call = 0; call < 3; call++) model.apply(x).dispose();
  assert.equal(mf.memory().tensors, before);
  model.dispose();
  const unknown = layers.dense({
    units: 2,
    activityRegularizer: { class_name: 'Other', config: {} },
  });
  const tensors = mf.memory().tensors;
  assert.throws(() => unknown.apply(x), mf.MaskflowError);
  assert.throws(() => unknown.apply(x), mf.MaskflowError);
  assert.ok(mf.memory().tensors <= tensors + 2, 'a failing penalty frees the outputs');
});
