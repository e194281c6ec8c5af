// SPDX-License-Identifier: MIT
// Invalid input always throws a typed error, never traps, and the next call works.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { live } from '../support/watch.js';

before(() => mf.ready());

const { Input, Layer, layers, Model, ops, Sequential, tensor } = mf;
const dense = () => layers.dense({ units: 1 });
const lstm = () => layers.lstm({ units: 1 });
const nest = (depth) => {
  const top = {};
  let inner = top;
  for (let i = 0; i < depth; i++) {
    inner.a = {};
    inner = inner.a;
  }
  return top;
};
const cycle = () => {
  const all = {};
  all.again = [all];
  return all;
};
class Plain extends Layer {
  call(inputs) {
    return ops.add(inputs, 1);
  }
}

const table = {
  'no input': () => dense().apply(),
  'null as input': () => dense().apply(null),
  'text as input': () => dense().apply('abc'),
  'a function as input': () => dense().apply(() => 1),
  'a large BigInt as input': () => dense().apply([[2n ** 60n]]),
  'a tensor beside a number': () => dense().apply([tensor([[1]]), 3]),
  'a Date as input': () => dense().apply(new Date()),
  'text as mask': () => lstm().apply([[[1]]], { mask: 'all' }),
  'an object as mask': () => lstm().apply([[[1]]], { mask: {} }),
  'a symbol as option': () => dense().apply([[1]], { reverse: Symbol.iterator }),
  'text as initial state': () => lstm().apply([[[1]]], { initialState: 'zeros' }),
  'numbers as initial state': () => lstm().apply([[[1]]], { initialState: [0, 0] }),
  'no weights': () => dense().setWeights(),
  'text as weights': () => dense().setWeights('ab'),
  'Input without anything': () => Input(),
  'a negative dimension': () => Input({ shape: [-1] }),
  'half a dimension': () => Input({ shape: [1.5] }),
  'a shape that is text': () => dense().build('ab'),
  'more elements than there can be': () => ops.zeros([65536, 65536]),
  'more memory than there is': () => ops.zeros([1e9]),
  'weights beyond the memory': () => layers.lstm({ units: 1e6 }).apply([[[1]]]),
  'an endless range': () => ops.arange(1e12),
  'a range with step 0': () => ops.arange(0, { stop: 1, step: 0 }),
  'padding to a huge length': () => mf.padSequences([[1]], { maxlen: 1e12 }),
  'an operand that is missing': () => ops.add(tensor([1])),
  'null as a serialized layer': () => mf.deserializeLayer(null),
  'text as a serialized layer': () => mf.deserializeLayer('LSTM'),
  'a class name that is a number': () => mf.deserializeLayer({ class_name: 5, config: {} }),
  'a model that is not JSON': () => Model.fromConfig('{'),
  'a model that is null': () => Model.fromConfig('null'),
  'a model without layers': () =>
    Model.fromConfig({ layers: [], input_layers: [], output_layers: [] }),
  'a node that is its own input': () =>
    Model.fromConfig({
      layers: [
        {
          class_name: 'Dense',
          name: 'd',
          config: { units: 1 },
          inbound_nodes: [[['d', 0, 0, {}]]],
        },
      ],
      input_layers: [['d', 0, 0]],
      output_layers: [['d', 0, 0]],
    }),
  'a configuration that contains itself': () =>
    layers.dense({ units: 1, kernelInitializer: cycle() }),
  'a configuration nested 20000 levels deep': () =>
    layers.dense({ units: 1, kernelInitializer: nest(20000) }),
  'a serialized layer that contains itself': () =>
    mf.deserializeLayer({ class_name: 'Dense', config: { units: 1, name: cycle() } }),
  'an initializer that contains itself': () =>
    new Plain().addWeight({ name: 'w', shape: [1], initializer: cycle() }),
  'an option that contains itself': () => new Plain().apply([1], { extra: cycle() }),
  'an attribute that contains itself': () => ops.reshape([1], cycle()),
  'getConfig() that contains itself': () => {
    class Endless extends Plain {
      getConfig() {
        return cycle();
      }
    }
    mf.serializeLayer(new Endless());
  },
  'a Sequential in itself': () => {
    const model = new Sequential();
    model.add(model);
  },
  'a Sequential in itself, through another': () => {
    const model = new Sequential();
    model.add(new Sequential([model]));
  },
  'a layer that calls itself': () => {
    class Endless extends Layer {
      call(inputs) {
        return this.apply(inputs);
      }
    }
    new Endless().apply([1]);
  },
  'layers that call each other': () => {
    const [a, b] = [new Plain(), new Plain()];
    a.call = (inputs) => b.apply(inputs);
    b.call = (inputs) => a.apply(inputs);
    a.apply([1]);
  },
};

for (const [title, run] of Object.entries(table)) {
  test(`${title} is a typed error, and the next call works`, () => {
    assert.throws(run, (error) => {
      assert.ok(error instanceof mf.MaskflowError, `${error.name}: ${error.message}`);
      assert.ok(error.message.length > 15 && error.message.length < 1000, error.message);
      return true;
    });
    const start = live();
    mf.tidy(() => assert.equal(ops.sum(tensor([[1, 2]])).item(), 3));
    assert.deepEqual(live(), start);
    mf.tidy(() =>
      assert.deepEqual(layers.gru({ units: 2 }).apply(ops.ones([2, 3, 4])).shape, [2, 2]),
    );
  });
}

test('deep but finite nesting works', () => {
  let model = new Sequential([new Plain()]);
  for (let i = 0; i < 20; i++) model = new Sequential([model]);
  assert.deepEqual(model.predict([[1]]).array(), [[2]]);
  mf.registerLayer(Plain);
  assert.deepEqual(
    Model.fromConfig(JSON.stringify(model))
      .predict([[1]])
      .array(),
    [[2]],
  );
});
