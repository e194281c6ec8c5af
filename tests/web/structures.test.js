// SPDX-License-Identifier: MIT
// Structures of tensors in graphs are flattened as in Keras; models and results come from
// tests/fixtures/structures/record.py.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as mf from '../../dist/train.js';

await mf.ready();
const { layers, ops } = mf;
const folder = new URL('../fixtures/structures/', import.meta.url);
const expected = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8'));

class Parts extends mf.Layer {
  call(x) {
    const y = ops.subtract(x, 1);
    return { z: ops.add(x, 1), a: [ops.multiply(x, 2), { y, b: ops.multiply(x, x) }] };
  }
}
mf.registerLayer(Parts, { package: 'Structures' });

const flat = (value) =>
  value instanceof mf.Tensor ? [value.array()] : Object.values(value).flatMap(flat);

function check(model, { inputs, outputs, takes_list: takesList }) {
  const tensors = Object.values(inputs).map((values) => mf.tensor(values));
  const config = model.getConfig().input_layers;
  const arrange = (part) =>
    Array.isArray(part) && typeof part[0] === 'string'
      ? mf.tensor(inputs[part[0]])
      : Array.isArray(part)
        ? part.map(arrange)
        : Object.fromEntries(Object.entries(part).map(([key, item]) => [key, arrange(item)]));
  const list = tensors.length > 1 ? tensors : tensors[0];
  for (const x of takesList ? [list, arrange(config)] : [arrange(config)]) {
    const results = flat(model.predict(x));
    assert.equal(results.length, outputs.length);
    for (const [i, values] of results.entries()) {
      values.flat().forEach((value, k) => {
        assert.ok(Math.abs(value - outputs[i].flat()[k]) < 1e-5, `output ${i}: ${value}`);
      });
    }
  }
}

for (const name of Object.keys(expected)) {
  test(`${name}: a file of Keras picks Keras's outputs, also after saving`, async () => {
    const model = await mf.loadModel(readFileSync(new URL(`${name}.keras`, folder)));
    check(model, expected[name]);
    const bytes = await model.save();
    check(await mf.loadModel(bytes), expected[name]);
  });
}

const picks = (model) => model.getConfig().output_layers;

test('numbers the outputs of a dictionary by key, and those of a list by position', () => {
  const x = mf.Input({ shape: [2], name: 'x' });
  const outputs = { z: ops.add(x, 1), a: ops.subtract(x, 1) };
  const inner = new mf.Model({ inputs: x, outputs, name: 'inner' });
  const i = mf.Input({ shape: [2], name: 'i' });
  const model = new mf.Model({ inputs: i, outputs: inner.apply(i).z });
  assert.deepEqual(picks(model), ['inner', 1, 1]);
  assert.deepEqual(model.predict([[5, 5]]).array(), [[6, 6]]);
  assert.deepEqual(Object.keys(inner.predict([[5, 5]])), ['a', 'z']);

  const dictionary = Object.fromEntries([...'bacd'].map((key) => [key, ops.add(x, 1)]));
  const list = Array.from({ length: 12 }, (_, k) => ops.multiply(x, k));
  const nestedModel = new mf.Model({
    inputs: x,
    outputs: { y: list, x: dictionary },
    name: 'nested',
  });
  const results = nestedModel.apply(i);
  const outer = new mf.Model({ inputs: i, outputs: [results['y / 10'], results['x / c']] });
  assert.deepEqual(picks(outer), [
    ['nested', 1, 14],
    ['nested', 1, 2],
  ]);
  assert.deepEqual(flat(outer.predict([[1, 2]])), [[[10, 20]], [[2, 3]]]);
});

test('accepts a list for a dictionary only if its keys are in alphabetical order, as Keras does', () => {
  const model = (...keys) => {
    const [p, q] = ['p', 'q'].map((name) => mf.Input({ shape: [1], name }));
    const inputs = { [keys[0]]: p, [keys[1]]: q };
    return new mf.Model({ inputs, outputs: ops.add(ops.multiply(p, 10), q) });
  };
  const x = [mf.tensor([[1]]), mf.tensor([[2]])];
  assert.deepEqual(model('a', 'z').predict(x).array(), [[12]]);
  assert.deepEqual(model('a', 'z').predict({ z: x[1], a: x[0] }).array(), [[12]]);
  assert.deepEqual(model('z', 'a').predict({ z: x[0], a: x[1] }).array(), [[12]]);
  for (const keys of [
    ['z', 'a'],
    ['q', 'p'],
  ]) {
    assert.throws(() => model(...keys).predict(x), { name: 'ValueError', message: /by key/ });
  }
});

test('orders the masks of several outputs like the outputs', () => {
  class Halves extends mf.Layer {
    call(x) {
      return { z: ops.multiply(x, 2), a: ops.add(x, 1) };
    }
    computeMask(_, mask) {
      return { z: mask, a: null };
    }
  }
  const masked = layers.masking().apply(mf.tensor([[[1], [0]]]));
  const { z, a } = new Halves().apply(masked);
  assert.equal(a.mask, null);
  assert.deepEqual(z.mask.array(), [[true, false]]);
});

test('fits and evaluates nested outputs with targets in their structure', async () => {
  const x = mf.Input({ shape: [1] });
  const [one, two, three] = [1, 2, 3].map((by) => ops.multiply(x, by));
  const bias = layers.dense({ units: 1, kernelInitializer: 'ones' }).apply(x);
  const model = new mf.Model({ inputs: x, outputs: { z: [one, { b: two }], a: three, bias } });
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  const [y1, y2, y3] = [1, 4, 3].map((value) => mf.tensor([[value]]));
  const y = { a: y3, bias: y1, z: [y1, { b: y2 }] };
  const wanted = { loss: 4, a_loss: 0, bias_loss: 0, 'z / 0_loss': 0, 'z / 1 / b_loss': 4 };
  assert.deepEqual(model.evaluate([[1]], y), wanted);
  const { history } = await model.fit([[1]], y, { epochs: 1, verbose: 0 });
  assert.deepEqual(history.loss, [4]);
});
