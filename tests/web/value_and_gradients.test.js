// SPDX-License-Identifier: MIT
// valueAndGradients: what it differentiates, what is a constant, and wrong uses.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';

const { layers, ops, tensor, tidy, valueAndGradients } = mf;

before(() => mf.ready({ onMaskDropped: 'silent' }));

const numbers = (x) => [...x.data()];
const near = (actual, expected, tolerance = 1e-5) =>
  actual.forEach((x, i) => {
    assert.ok(
      Math.abs(x - expected[i]) <= tolerance * Math.max(1, Math.abs(expected[i])),
      `${actual} is not ${expected}`,
    );
  });
const gradientsOf = (run, of) => valueAndGradients(run, of).gradients.map((g) => g && numbers(g));

/** A Dense layer written in JavaScript. */
class Own extends mf.Layer {
  build([, features]) {
    this.kernel = this.addWeight({ name: 'kernel', shape: [features, 3] });
    this.bias = this.addWeight({ name: 'bias', shape: [3], initializer: 'zeros' });
  }
  call(x) {
    return ops.tanh(ops.add(ops.matmul(x, this.kernel), this.bias));
  }
}

/** A SimpleRNNCell written in JavaScript. */
class OwnCell extends mf.Layer {
  stateSize = 3;
  build([, features]) {
    this.kernel = this.addWeight({ name: 'kernel', shape: [features, 3] });
    this.recurrent = this.addWeight({ name: 'recurrent_kernel', shape: [3, 3] });
    this.bias = this.addWeight({ name: 'bias', shape: [3], initializer: 'zeros' });
  }
  call(x, { states: [h] }) {
    const sums = ops.add(
      ops.add(ops.matmul(x, this.kernel), this.bias),
      ops.matmul(h, this.recurrent),
    );
    const nextState = ops.tanh(sums);
    return [nextState, [nextState]];
  }
}

test('a custom layer has the gradients of the built-in one', () => {
  const custom = new Own();
  const dense = layers.dense({ units: 3, activation: 'tanh' });
  const x = tensor([
    [1, -2],
    [0.5, 3],
  ]);
  custom.apply(x);
  dense.apply(x);
  dense.setWeights(custom.getWeights());
  const of = (layer) =>
    gradientsOf(() => ops.sum(ops.square(layer.apply(x))), [x, ...layer.trainableVariables]);
  const [expected, actual] = [of(dense), of(custom)];
  assert.equal(actual.length, 3);
  for (const [i, g] of actual.entries()) near(g, expected[i]);
});

test('a custom cell has the gradients of the built-in one, with a mask', () => {
  const custom = layers.rnn({ cell: new OwnCell(), returnSequences: true });
  const built = layers.simpleRNN({ units: 3, returnSequences: true });
  const mask = tensor(
    [
      [true, false, true, true],
      [false, true, true, false],
    ],
    { dtype: 'bool' },
  );
  const data = Float32Array.from({ length: 16 }, (_, i) => Math.sin(i + 1));
  const x = tensor(data, { shape: [2, 4, 2] }).withMask(mask);
  custom.apply(x);
  built.apply(x);
  built.setWeights(custom.getWeights());
  const of = (layer) =>
    gradientsOf(() => ops.sum(ops.square(layer.apply(x))), [x, ...layer.trainableVariables]);
  const [expected, actual] = [of(built), of(custom)];
  assert.equal(actual.length, 4);
  for (const [i, g] of actual.entries()) near(g, expected[i]);
  for (const step of [1, 4, 7]) assert.deepEqual(actual[0].slice(2 * step, 2 * step + 2), [0, 0]);
});

test('a layer that is used twice, in nested models, has the sum of both gradients', () => {
  const sharedDense = layers.dense({ units: 2, useBias: false });
  const inner = new mf.Sequential([sharedDense]);
  const input = mf.Input({ shape: [2] });
  const model = new mf.Model({
    inputs: input,
    outputs: layers.add().apply([inner.apply(input), sharedDense.apply(input)]),
  });
  const x = tensor([[1, 2]]);
  const [ofModel] = gradientsOf(() => ops.sum(model.apply(x)), sharedDense.trainableVariables);
  const [ofLayer] = gradientsOf(
    () => ops.sum(sharedDense.apply(x)),
    sharedDense.trainableVariables,
  );
  near(
    ofModel,
    ofLayer.map((g) => 2 * g),
  );
});

test('results of predict and data() are constants', () => {
  const model = new mf.Sequential([layers.dense({ units: 2 }), layers.layerNormalization()]);
  const x = tensor([
    [1, 2],
    [3, 5],
  ]);
  model.predict(x);
  const variables = model.trainableVariables;
  const [inputGradient, ...weightGradients] = valueAndGradients(
    () => ops.sum(ops.multiply(ops.add(model.predict(x), x), x)),
    [x, ...variables],
  ).gradients;
  // d/dx of sum((p + x) x), with p constant.
  const p = numbers(model.predict(x));
  near(
    numbers(inputGradient),
    numbers(x).map((value, i) => p[i] + 2 * value),
  );
  assert.deepEqual(
    weightGradients,
    weightGradients.map(() => null),
  );
  const [gradient] = valueAndGradients(() => tensor(x.data()[0]), [x]).gradients;
  assert.equal(gradient, null);
});

test('a custom loss may use tensors that were computed before', () => {
  const x = tensor([0.5, -1, 2]);
  const doubled = ops.multiply(x, 2);
  const [g, h] = gradientsOf(() => ops.sum(ops.multiply(ops.absolute(x), doubled)), [x, doubled]);
  near(g, [1, 2, 4]);
  near(h, [0.5, 1, 2]);
});

test('wrong functions and values throw typed errors, and the next call works', () => {
  const x = tensor([1, 2]);
  const assertRefuses = (run, kind, pattern) =>
    assert.throws(
      run,
      (e) => e instanceof mf.MaskflowError && e.name === kind && pattern.test(e.message),
      String(pattern),
    );
  assertRefuses(
    () => valueAndGradients(() => ops.square(x), [x]),
    'ValueError',
    /shape \(2,?\).*sum or mean/,
  );
  assertRefuses(() => valueAndGradients(() => 3, [x]), 'ValueError', /must return a tensor/);
  assertRefuses(
    () => valueAndGradients(async () => ops.sum(x), [x]),
    'ValueError',
    /must return a tensor/,
  );
  assertRefuses(
    () => valueAndGradients(() => ops.sum(x), [tensor([1], { dtype: 'int32' })]),
    'ValueError',
    /float32/,
  );
  assertRefuses(
    () => valueAndGradients(() => valueAndGradients(() => ops.sum(x), [x]).value, [x]),
    'StateError',
    /another valueAndGradients is differentiating these tensors/,
  );
  const userError = new Error('mine');
  assert.throws(
    () =>
      valueAndGradients(() => {
        throw userError;
      }, [x]),
    (e) => e === userError,
  );
  near(gradientsOf(() => ops.sum(ops.square(x)), [x])[0], [2, 4]);
});

test('frees everything except the results', () => {
  const model = new mf.Sequential([layers.gru({ units: 3 }), layers.dense({ units: 1 })]);
  const x = tensor([[[1], [2]]]);
  model.predict(x).dispose();
  const variables = model.trainableVariables;
  const step = () =>
    tidy(
      () => void valueAndGradients(() => ops.sum(model.apply(x, { training: true })), variables),
    );
  step();
  const { tensors, bytes } = mf.memory();
  for (let i = 0; i < 50; i++) step();
  assert.deepEqual({ tensors: mf.memory().tensors, bytes: mf.memory().bytes }, { tensors, bytes });
});

test('the result of a stream is a constant', () => {
  const model = new mf.Sequential([mf.Input({ shape: [null, 1] }), layers.gru({ units: 3 })]);
  const stream = model.stream();
  const { gradients } = valueAndGradients(
    () => ops.sum(stream.step([[1]])),
    model.trainableVariables,
  );
  assert.deepEqual(gradients, [null, null, null]);
});
