// SPDX-License-Identifier: MIT
// Losses that layers add, steps that models override, averages of weights, one-hot targets and
// clones equal Keras: tests/fixtures/training/parts/record.py recorded them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { collectGarbage } from '../support/garbage.js';

before(() => mf.ready());
const { Layer, Sequential, callbacks, layers, ops, optimizers, regularizers } = mf;

const path = new URL('../fixtures/training/parts/cases.json', import.meta.url);
const cases = JSON.parse(readFileSync(path, 'utf8'));
const { x, y } = cases;
const firstRows = [x.slice(0, 3), y.slice(0, 3)];

function close(actual, expected, what) {
  const [a, b] = [actual, expected].map((each) => [each].flat(9));
  assert.equal(a.length, b.length, `${what}: ${a.length} numbers`);
  a.forEach((value, i) => {
    const error = Math.abs(value - b[i]);
    assert.ok(error <= 2e-5 * Math.max(1, Math.abs(b[i])), `${what}: ${value}, not ${b[i]}`);
  });
}
const closeLogs = (actual, expected) => {
  assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort());
  for (const [name, values] of Object.entries(expected)) close(actual[name], values, name);
};
const closeWeights = (model, expected) => {
  for (const [i, weight] of model.getWeights().entries()) {
    close(weight.array(), expected[i], `weight ${i}`);
  }
};

class Penalized extends Layer {
  build(shape) {
    this.w = this.addWeight({ name: 'w', shape: [shape.at(-1), 4] });
  }
  call(inputs) {
    this.addLoss(ops.multiply(0.1, ops.sum(ops.square(inputs))));
    const result = ops.matmul(inputs, this.w);
    this.addLoss([ops.mean(ops.absolute(result)), ops.multiply(0.01, ops.square(result))]);
    return result;
  }
}

function modelOf(Class = Sequential, optimizer = optimizers.sgd({ learningRate: 0.005 })) {
  const kernelRegularizer = regularizers.l2(0.02);
  const model = new Class([new Penalized(), layers.dense({ units: 1, kernelRegularizer })]);
  model.build([null, 3]);
  model.setWeights(cases.weights);
  model.compile({ optimizer, loss: 'mse' });
  return model;
}
const options = { epochs: 2, batchSize: 4, shuffle: false };

test('addLoss adds to the losses of the last call, of evaluate and of fit', async () => {
  const model = modelOf();
  model.apply(x.slice(0, 2));
  model.apply(x);
  const { losses } = model;
  assert.equal(losses.length, cases.losses.length);
  for (const [i, loss] of losses.entries()) close(loss.array(), cases.losses[i], `loss ${i}`);
  close(model.evaluate(x, y, { batchSize: 4 }).loss, cases.evaluate, 'evaluate');
  const { history } = await model.fit(x, y, options);
  closeLogs(history, cases.added.history);
  closeWeights(model, cases.added.weights);
  model.dispose();
});

test('the first call of a deferred Sequential adds each loss once', () => {
  const kernelRegularizer = regularizers.l2(0.02);
  const model = new Sequential([new Penalized(), layers.dense({ units: 1, kernelRegularizer })]);
  model.apply(x);
  assert.equal(model.losses.length, cases.losses.length);
  model.dispose();
});

test('training leaves no losses in memory', async () => {
  const model = modelOf();
  await model.fit(x, y, options);
  await collectGarbage();
  const before = mf.memory().tensors;
  await model.fit(x, y, options);
  assert.equal(mf.memory().tensors, before);
  model.apply(x).dispose();
  const kept = mf.memory().tensors;
  for (let i = 0; i < 5; i++) model.apply(x).dispose();
  assert.equal(mf.memory().tensors, kept);
});

class Twice extends Sequential {
  trainStep([inputs, targets]) {
    let largest;
    const { value, gradients } = mf.valueAndGradients(() => {
      const result = this.apply(inputs, { training: true });
      largest = ops.max(result).item();
      return ops.multiply(2, this.computeLoss(targets, result));
    }, this.trainableVariables);
    this.optimizer.apply(gradients, this.trainableVariables);
    return { loss: value, largest };
  }
  testStep([inputs, targets]) {
    return { loss: this.computeLoss(targets, this.apply(inputs)), seven: 7 };
  }
}

test('fit and evaluate use the steps of a class', async () => {
  const model = modelOf(Twice);
  const { history } = await model.fit(x, y, { ...options, validationData: firstRows });
  closeLogs(history, cases.steps.history);
  closeWeights(model, cases.steps.weights);
  const results = model.evaluate(x, y, { batchSize: 4 });
  closeLogs(results, cases.steps.evaluate);
  assert.ok((await model.trainOnBatch(x, y)).largest);
  assert.equal((await model.testOnBatch(x, y)).seven, 7);
});

test('a step can call the usual one, and must return numbers', async () => {
  class Counting extends Sequential {
    batches = 0;
    trainStep(data) {
      this.batches++;
      return super.trainStep(data);
    }
  }
  const model = modelOf(Counting);
  const usual = modelOf();
  const { history } = await model.fit(x, y, options);
  closeLogs(history, (await usual.fit(x, y, options)).history);
  assert.equal(model.batches, 4);
  for (const result of [null, 3, { loss: 'much' }, Promise.resolve({ loss: 1 })]) {
    class Wrong extends Sequential {
      trainStep() {
        return result;
      }
    }
    await assert.rejects(modelOf(Wrong).fit(x, y), mf.ValueError);
  }
});

test('swapEMAWeights validates with averages', async () => {
  for (const [swap, expected] of Object.entries(cases.averages)) {
    const settings = { learningRate: 0.005, momentum: 0.5, useEma: true, emaMomentum: 0.6 };
    const model = modelOf(Sequential, optimizers.sgd(settings));
    const seen = [];
    const look = callbacks.lambda({
      onEpochEnd: () => seen.push(model.getWeights().map((weight) => weight.array())),
    });
    const swapping = callbacks.swapEMAWeights({ swapOnEpoch: swap === 'true' });
    const { history } = await model.fit(x, y, {
      ...options,
      epochs: 3,
      validationData: firstRows,
      callbacks: [swapping, look],
    });
    closeLogs(history, expected.history);
    close(seen, expected.at_ends, `weights at the ends of epochs, swapOnEpoch ${swap}`);
    closeWeights(model, expected.weights);
  }
  const swapping = [callbacks.swapEMAWeights({ swapOnEpoch: true })];
  await assert.rejects(modelOf().fit(x, y, { callbacks: swapping }), /set useEma: true/);
});

test('toCategorical returns the rows of Keras', () => {
  for (const { x: labels, num_classes: numClasses, y: expected } of cases.to_categorical) {
    assert.deepEqual(mf.toCategorical(labels, { numClasses }).array(), expected);
  }
  for (const labels of [[-1, 0], [Number.NaN], []]) {
    assert.throws(() => mf.toCategorical(labels), mf.ValueError);
  }
  assert.throws(() => mf.toCategorical([3], { numClasses: 3 }), /label 3 \(element 0 of x\)/);
  assert.throws(() => mf.toCategorical([0], { numClasses: 0 }), mf.ValueError);
});

test('cloneModel has the same layers and new weights', () => {
  const inputs = mf.Input({ shape: [null, 3] });
  const hidden = layers.lstm({ units: 4, name: 'memory' }).apply(inputs);
  const outputs = layers.dense({ units: 2, activation: 'relu', name: 'head' }).apply(hidden);
  for (const model of [
    new mf.Model({ inputs, outputs: ops.add(outputs, 1) }),
    new Sequential([mf.Input({ shape: [null, 3] }), layers.gru({ units: 4, name: 'memory' })]),
  ]) {
    const clone = mf.cloneModel(model);
    assert.deepEqual(clone.getConfig(), model.getConfig());
    const shapes = (each) => each.weights.map(({ shape }) => shape);
    assert.deepEqual(shapes(clone), shapes(model));
    assert.notDeepEqual(clone.getWeights()[0].array(), model.getWeights()[0].array());
    const data = [
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ];
    clone.setWeights(model.getWeights());
    assert.deepEqual(clone.predict(data).array(), model.predict(data).array());
    const wide = mf.cloneModel(model, {
      cloneFunction: (layer) => (layer.name === 'memory' ? layers.simpleRNN({ units: 4 }) : layer),
    });
    assert.equal(wide.getLayer('memory').className, 'SimpleRNN');
    assert.equal(wide.predict(data).shape.at(-1), model.predict(data).shape.at(-1));
  }
});

test('nonTrainableVariables are the weights that training leaves', () => {
  const model = modelOf();
  assert.equal(model.nonTrainableVariables.length, 0);
  model.layers[0].trainable = false;
  assert.deepEqual(
    [model.trainableVariables.length, model.nonTrainableVariables.map(({ name }) => name)],
    [2, ['w']],
  );
});
