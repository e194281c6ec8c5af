// SPDX-License-Identifier: MIT
// What valueAndGradients differentiates, what is a constant, and how it is misused.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';

const { layers, ops, tensor, tidy, valueAndGradients } = mf;

before(() => mf.ready({ onMaskDropped: 'silent' }));

const numbers = (x) => [...x.data()];
const near = (got, wanted, tolerance = 1e-5) =>
  got.forEach((x, i) => {
    assert.ok(
      Math.abs(x - wanted[i]) <= tolerance * Math.max(1, Math.abs(wanted[i])),
      `${got} is not ${wanted}`,
    );
  });
const gradientsOf = (run, of) => valueAndGradients(run, of).gradients.map((g) => g && numbers(g));

/** A Dense layer in JavaScript. */
class Own extends mf.Layer {
  build([, features]) {
    this.kernel = this.addWeight({ name: 'kernel', shape: [features, 3] });
    this.bias = this.addWeight({ name: 'bias', shape: [3], initializer: 'zeros' });
  }
  call(x) {
    return ops.tanh(ops.add(ops.matmul(x, this.kernel), this.bias));
  }
}

/** SimpleRNNCell in JavaScript. */
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
    const next = ops.tanh(sums);
    return [next, [next]];
  }
}

test('a layer written in JavaScript has the gradients of the built-in one', () => {
  const own = new Own();
  const dense = layers.dense({ units: 3, activation: 'tanh' });
  const x = tensor([
    [1, -2],
    [0.5, 3],
  ]);
  own.apply(x);
  dense.apply(x);
  dense.setWeights(own.getWeights());
  const of = (layer) =>
    gradientsOf(() => ops.sum(ops.square(layer.apply(x))), [x, ...layer.trainableVariables]);
  const [wanted, got] = [of(dense), of(own)];
  assert.equal(got.length, 3);
  for (const [i, g] of got.entries()) near(g, wanted[i]);
});

test('a cell written in JavaScript has the gradients of the built-in one, along a mask', () => {
  const own = layers.rnn({ cell: new OwnCell(), returnSequences: true });
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
  own.apply(x);
  built.apply(x);
  built.setWeights(own.getWeights());
  const of = (layer) =>
    gradientsOf(() => ops.sum(ops.square(layer.apply(x))), [x, ...layer.trainableVariables]);
  const [wanted, got] = [of(built), of(own)];
  assert.equal(got.length, 4);
  for (const [i, g] of got.entries()) near(g, wanted[i]);
  for (const step of [1, 4, 7]) assert.deepEqual(got[0].slice(2 * step, 2 * step + 2), [0, 0]);
});

test('a layer that is used twice, in models inside models, gets the sum', () => {
  const shared = layers.dense({ units: 2, useBias: false });
  const inner = new mf.Sequential([shared]);
  const input = mf.Input({ shape: [2] });
  const model = new mf.Model({
    inputs: input,
    outputs: layers.add().apply([inner.apply(input), shared.apply(input)]),
  });
  const x = tensor([[1, 2]]);
  const [twice] = gradientsOf(() => ops.sum(model.apply(x)), shared.trainableVariables);
  const [once] = gradientsOf(() => ops.sum(shared.apply(x)), shared.trainableVariables);
  near(
    twice,
    once.map((g) => 2 * g),
  );
});

test('what predict gives and what is read are constants', () => {
  const model = new mf.Sequential([layers.dense({ units: 2 }), layers.layerNormalization()]);
  const x = tensor([
    [1, 2],
    [3, 5],
  ]);
  model.predict(x);
  const variables = model.trainableVariables;
  const [of, ...rest] = valueAndGradients(
    () => ops.sum(ops.multiply(ops.add(model.predict(x), x), x)),
    [x, ...variables],
  ).gradients;
  // d/dx of sum((p + x) x) with p constant.
  const p = numbers(model.predict(x));
  near(
    numbers(of),
    numbers(x).map((value, i) => p[i] + 2 * value),
  );
  assert.deepEqual(
    rest,
    rest.map(() => null),
  );
  const [read] = valueAndGradients(() => tensor(x.data()[0]), [x]).gradients;
  assert.equal(read, null);
});

test('a loss of your own; sums of tensors that were made before', () => {
  const x = tensor([0.5, -1, 2]);
  const before = ops.multiply(x, 2);
  const [g, h] = gradientsOf(() => ops.sum(ops.multiply(ops.absolute(x), before)), [x, before]);
  near(g, [1, 2, 4]);
  near(h, [0.5, 1, 2]);
});

test('wrong functions and values: typed errors, and the next call works', () => {
  const x = tensor([1, 2]);
  const refused = (run, kind, pattern) =>
    assert.throws(
      run,
      (e) => e instanceof mf.MaskflowError && e.name === kind && pattern.test(e.message),
      String(pattern),
    );
  refused(
    () => valueAndGradients(() => ops.square(x), [x]),
    'ValueError',
    /shape \(2,?\).*sum or mean/,
  );
  refused(() => valueAndGradients(() => 3, [x]), 'ValueError', /must return a tensor/);
  refused(
    () => valueAndGradients(async () => ops.sum(x), [x]),
    'ValueError',
    /must return a tensor/,
  );
  refused(
    () => valueAndGradients(() => ops.sum(x), [tensor([1], { dtype: 'int32' })]),
    'ValueError',
    /float32/,
  );
  refused(
    () => valueAndGradients(() => valueAndGradients(() => ops.sum(x), [x]).value, [x]),
    'StateError',
    /differentiated already/,
  );
  const thrown = new Error('mine');
  assert.throws(
    () =>
      valueAndGradients(() => {
        throw thrown;
      }, [x]),
    (e) => e === thrown,
  );
  near(gradientsOf(() => ops.sum(ops.square(x)), [x])[0], [2, 4]);
});

test('nothing but the results is left', () => {
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

test('what a stream gives is a constant', () => {
  const model = new mf.Sequential([mf.Input({ shape: [null, 1] }), layers.gru({ units: 3 })]);
  const stream = model.stream();
  const { gradients } = valueAndGradients(
    () => ops.sum(stream.step([[1]])),
    model.trainableVariables,
  );
  assert.deepEqual(gradients, [null, null, null]);
});
