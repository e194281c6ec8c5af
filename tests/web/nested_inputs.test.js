// SPDX-License-Identifier: MIT
// Inputs in nested structures, and dictionaries with more keys than the model has inputs. The
// results are those of Keras 3.15.1 for keras.Model({'p': [a, b], 'q': {'r': c}}, concatenate([a, b
// * 2, c * 3])).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../dist/index.js';

await mf.ready();
const { layers, ops } = mf;

const symbols = () => ['a', 'b', 'c'].map((name) => mf.Input({ shape: [2], name }));
const [A, B, C] = [1, 2, 3].map((value) => mf.tensor([[value, value]]));
const expected = [[1, 1, 4, 4, 9, 9]];

function model(group) {
  const [a, b, c] = symbols();
  const outputs = layers.concatenate().apply([a, ops.multiply(b, 2), ops.multiply(c, 3)]);
  return new mf.Model({ inputs: group(a, b, c), outputs });
}
const assertPredicts = (model, x) => assert.deepEqual(model.predict(x).array(), expected);

test('nested dictionaries and lists are accepted, with keys in any order', async () => {
  const nestedModel = model((a, b, c) => ({ p: [a, b], q: { r: c } }));
  const recording = {
    p: [
      ['a', 0, 0],
      ['b', 0, 0],
    ],
    q: { r: ['c', 0, 0] },
  };
  for (const variant of [
    nestedModel,
    mf.Model.fromConfig(nestedModel.getConfig()),
    await mf.loadModel(await nestedModel.save()),
  ]) {
    assertPredicts(variant, { p: [A, B], q: { r: C } });
    assertPredicts(variant, { q: { r: C }, p: [A, B] });
    assertPredicts(variant, { t: A, q: { r: C, s: A }, p: [A, B] });
    assertPredicts(variant, { p: [A, B], q: { r: [[3, 3]] } });
    assert.deepEqual(variant.apply({ p: [A, B], q: { r: C } }).array(), expected);
    assert.equal(variant.evaluate({ p: [A, B], q: { r: C } }, expected, { loss: 'mse' }).loss, 0);
    assert.deepEqual(variant.getConfig().input_layers, recording);
    assert.throws(() => variant.predict({ p: [A], q: { r: C } }), {
      name: 'ValueError',
      message: /'p \/ 1' is missing/,
    });
  }
  const list = model((a, b, c) => [a, [b, c]]);
  assertPredicts(list, [A, [B, C]]);
  assertPredicts(mf.Model.fromConfig(list.getConfig()), [A, [B, C]]);
  assert.deepEqual(list.getConfig().input_layers, [
    ['a', 0, 0],
    [
      ['b', 0, 0],
      ['c', 0, 0],
    ],
  ]);
});

test('unknown keys are ignored, missing ones are an error', () => {
  const dictionary = model((x, y, z) => ({ x, y, z }));
  assertPredicts(dictionary, { extra: C, z: C, y: B, x: A });
  assert.throws(() => dictionary.predict({ x: A, y: B, other: C }), {
    name: 'ValueError',
    message: /'z' is missing/,
  });
  const list = model((a, b, c) => [a, b, c]);
  assertPredicts(list, { c: C, extra: A, a: A, b: B });
  assert.throws(() => list.predict([A, B]), {
    name: 'ShapeError',
    message: /3 inputs but was given 2/,
  });
});

test('keys that look like indices stay keys', () => {
  const numberedModel = model((a, b, c) => ({ 0: a, 1: b, 2: c }));
  assert.deepEqual(Object.keys(numberedModel.getConfig().input_layers), ['0', '1', '2']);
  assert.equal(Array.isArray(numberedModel.getConfig().input_layers), false);
  assertPredicts(mf.Model.fromConfig(numberedModel.getConfig()), { 0: A, 1: B, 2: C });
});

test('invalid structures are refused', () => {
  const [a] = symbols();
  for (const inputs of [{ x: { y: 3 } }, [a, [2]], { x: [] }, 'a', [[]]]) {
    assert.throws(() => new mf.Model({ inputs, outputs: a }), mf.MaskflowError);
  }
  const flatModel = model((x, y, z) => ({ x, y, z }));
  for (const x of [{ x: { y: A } }, [[A]], { x: A, y: B, z: {} }, {}]) {
    assert.throws(() => flatModel.predict(x), mf.MaskflowError);
  }
});
