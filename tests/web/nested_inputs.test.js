// SPDX-License-Identifier: MIT
// Inputs in nested structures, and dictionaries with more than the model takes. What Keras 3.15.1 writes and computes:
// keras.Model({'p': [a, b], 'q': {'r': c}}, concatenate([a, b * 2, c * 3])).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../dist/index.js';

await mf.ready();
const { layers, ops } = mf;

const symbols = () => ['a', 'b', 'c'].map((name) => mf.Input({ shape: [2], name }));
const [A, B, C] = [1, 2, 3].map((value) => mf.tensor([[value, value]]));
const wanted = [[1, 1, 4, 4, 9, 9]];

function model(group) {
  const [a, b, c] = symbols();
  const outputs = layers.concatenate().apply([a, ops.multiply(b, 2), ops.multiply(c, 3)]);
  return new mf.Model({ inputs: group(a, b, c), outputs });
}
const says = (made, x) => assert.deepEqual(made.predict(x).array(), wanted);

test('nested dictionaries and lists, in any order of keys', async () => {
  const made = model((a, b, c) => ({ p: [a, b], q: { r: c } }));
  const recorded = {
    p: [
      ['a', 0, 0],
      ['b', 0, 0],
    ],
    q: { r: ['c', 0, 0] },
  };
  for (const nested of [
    made,
    mf.Model.fromConfig(made.getConfig()),
    await mf.loadModel(await made.save()),
  ]) {
    says(nested, { p: [A, B], q: { r: C } });
    says(nested, { q: { r: C }, p: [A, B] });
    says(nested, { t: A, q: { r: C, s: A }, p: [A, B] });
    says(nested, { p: [A, B], q: { r: [[3, 3]] } });
    assert.deepEqual(nested.apply({ p: [A, B], q: { r: C } }).array(), wanted);
    assert.equal(nested.evaluate({ p: [A, B], q: { r: C } }, wanted, { loss: 'mse' }).loss, 0);
    assert.deepEqual(nested.getConfig().input_layers, recorded);
    assert.throws(() => nested.predict({ p: [A], q: { r: C } }), {
      name: 'ValueError',
      message: /'p \/ 1' is missing/,
    });
  }
  const list = model((a, b, c) => [a, [b, c]]);
  says(list, [A, [B, C]]);
  says(mf.Model.fromConfig(list.getConfig()), [A, [B, C]]);
  assert.deepEqual(list.getConfig().input_layers, [
    ['a', 0, 0],
    [
      ['b', 0, 0],
      ['c', 0, 0],
    ],
  ]);
});

test('keys that the model does not take', () => {
  const dictionary = model((x, y, z) => ({ x, y, z }));
  says(dictionary, { extra: C, z: C, y: B, x: A });
  assert.throws(() => dictionary.predict({ x: A, y: B, other: C }), {
    name: 'ValueError',
    message: /'z' is missing/,
  });
  const list = model((a, b, c) => [a, b, c]);
  says(list, { c: C, extra: A, a: A, b: B });
  assert.throws(() => list.predict([A, B]), {
    name: 'ShapeError',
    message: /3 inputs but was given 2/,
  });
});

test('keys that look like places stay keys', () => {
  const made = model((a, b, c) => ({ 0: a, 1: b, 2: c }));
  assert.deepEqual(Object.keys(made.getConfig().input_layers), ['0', '1', '2']);
  assert.equal(Array.isArray(made.getConfig().input_layers), false);
  says(mf.Model.fromConfig(made.getConfig()), { 0: A, 1: B, 2: C });
});

test('what is no structure of tensors', () => {
  const [a] = symbols();
  for (const inputs of [{ x: { y: 3 } }, [a, [2]], { x: [] }, 'a', [[]]]) {
    assert.throws(() => new mf.Model({ inputs, outputs: a }), mf.MaskflowError);
  }
  const made = model((x, y, z) => ({ x, y, z }));
  for (const x of [{ x: { y: A } }, [[A]], { x: A, y: B, z: {} }, {}]) {
    assert.throws(() => made.predict(x), mf.MaskflowError);
  }
});
