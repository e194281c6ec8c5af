// SPDX-License-Identifier: MIT
// Names of classes and functions as consoles and stacks show them, names of TensorFlow.js, and
// objects of the package in Vue's reactive state.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { inspect } from 'node:util';
import { isReactive, reactive, readonly } from '@vue/reactivity';
import * as mf from '../../dist/train.js';

before(() => mf.ready());
const { layers, ops, Sequential, tensor } = mf;

suite('names', () => {
  test('of classes and functions are real, in consoles and stacks', () => {
    const model = new Sequential([mf.Input({ shape: [null, 2] }), layers.lstm({ units: 1 })]);
    model.compile({ optimizer: 'adam', loss: 'mse' });
    const objects = {
      LSTM: model.layers[0],
      Stream: model.stream(),
      Optimizer: model.optimizer,
      Metric: mf.metrics.auc(),
      Controls: mf.callbacks.controls(),
    };
    for (const [name, object] of Object.entries(objects)) {
      assert.equal(object.constructor.name, name);
    }
    assert.match(inspect(layers), /lstm: \[Function: lstm\]/);
    assert.match(inspect(ops, { maxArrayLength: null }), /softmax: \[Function: softmax\]/);
    assert.throws(
      () => ops.softmax('x'),
      (error) => /softmax/.test(error.stack),
    );
  });

  test('of TensorFlow.js say what to write', () => {
    const x = tensor([
      [1, 5],
      [4, 3],
    ]);
    const [y, i] = [tensor([1, 2]), tensor([0], 'int32')];
    const { random } = mf;
    const written = {
      mul: () => x.multiply(y),
      sub: () => x.subtract(y),
      div: () => x.divide(y),
      pow: () => x.power(y),
      neg: () => x.negative(),
      argMax: () => x.argmax(-1),
      argMin: () => x.argmin(-1),
      matMul: () => x.matmul(y),
      gather: () => x.take(i, { axis: 0 }),
      concat: () => ops.concatenate([x, x], 0),
      flatten: () => x.reshape([-1]),
      as1D: () => x.reshape([-1]),
      as2D: () => x.reshape([1, 4]),
      toFloat: () => x.cast('float32'),
      toInt: () => x.cast('int32'),
      dataSync: () => x.data(),
      arraySync: () => x.array(),
      print: () => String(x),
      clone: () => x.cast(x.dtype),
    };
    for (const [name, run] of Object.entries(written)) {
      const source = String(run).slice('() => '.length).split('(')[0].replace('String', 'console');
      assert.throws(
        () => x[name](y),
        (error) => error instanceof mf.ValueError && error.message.includes(`write ${source}`),
        name,
      );
      assert.ok(run());
      assert.ok(!Object.keys(ops).includes(name));
    }
    const functions = {
      tensor2d: () =>
        tensor([
          [1, 2],
          [3, 4],
        ]),
      scalar: () => tensor(1),
      multinomial: () => random.categorical(x, 1),
      buffer: () => tensor([1, 2, 3, 4, 5, 6], [2, 3]),
    };
    for (const [name, run] of Object.entries(functions)) {
      assert.throws(() => ops[name](), /there is no ops\.\w+\(\); write /);
      assert.ok(run());
    }
    assert.throws(() => ops.argMax(x, 1), /write x\.argmax\(-1\)/);
    assert.throws(
      () => new Sequential().fitDataset(),
      /write model\.fit\(batches, \{ epochs: 1 \}\)/,
    );
  });
});

suite("objects in Vue's reactive state", () => {
  test('work as they are', async () => {
    const model = new Sequential([mf.Input({ shape: [null, 2] }), layers.lstm({ units: 1 })]);
    model.compile({ optimizer: 'adam', loss: 'mse', metrics: ['mae'] });
    const all = {
      model,
      empty: new Sequential(),
      layer: layers.dense({ units: 1 }),
      stream: model.stream(),
      controls: mf.callbacks.controls(),
      optimizer: model.optimizer,
      metric: mf.metrics.meanAbsoluteError(),
      x: tensor([[[1, 2]]]),
      variable: model.trainableVariables[0],
      stopping: mf.callbacks.earlyStopping({ monitor: 'loss' }),
    };
    const state = reactive({ ...all, list: [model] });
    for (const name of Object.keys(all)) assert.ok(!isReactive(state[name]), name);
    assert.deepEqual(state.list[0].predict(state.x).shape, [1, 1]);
    state.empty.add(layers.dense({ units: 1 }));
    assert.deepEqual(state.empty.predict([[1]]).shape, [1, 1]);
    assert.deepEqual(state.stream.step([[1, 2]]).shape, [1, 1]);
    state.optimizer.learningRate = 0.5;
    assert.equal(model.optimizer.learningRate, 0.5);
    state.metric.updateState([1], [3]);
    assert.equal(state.metric.result(), 2);
    assert.equal(state.variable.value.rank, 2);
    state.controls.pause();
    assert.ok(all.controls.paused);
    state.controls.resume();
    assert.deepEqual(readonly(all).layer.apply([[1]]).shape, [1, 1]);
    const { history } = await state.model.fit(state.x, [[1]], { callbacks: state.stopping });
    assert.equal(history.loss.length, 1);
  });
});

test('a layer that drops masks warns once in 30 predictions', (context) => {
  const warnings = context.mock.method(console, 'warn', () => {}).mock;
  const model = new Sequential([
    layers.embedding({ inputDim: 9, outputDim: 2, maskZero: true }),
    layers.conv1D({ filters: 2, kernelSize: 1 }),
    layers.globalMaxPooling1D(),
  ]);
  for (let i = 0; i < 30; i++) model.predict([[1, 2, 0]]);
  assert.equal(warnings.callCount(), 1);
});
