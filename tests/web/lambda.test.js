// SPDX-License-Identifier: MIT
// Lambda: a function as a layer, with its masks and shapes.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import * as training from '../../dist/train.js';
import { letters, rows, collectWarnings } from '../support/watch.js';

before(async () => {
  await training.ready();
  await mf.ready();
});

const { Input, Lambda, layers, Model, ops, Sequential, tensor } = mf;
const mask = rows('TTF TFF');
const x = () => ops.reshape(ops.arange(12, { dtype: 'float32' }), [2, 3, 2]);
const sumOfKept = (inputs, { mask }) =>
  ops.sum(ops.multiply(inputs, ops.expandDims(ops.cast(mask, 'float32'), -1)), { axis: 1 });

test('the function computes, eagerly and in models', () => {
  const square = new Lambda({ function: (inputs) => ops.multiply(inputs, inputs) });
  assert.deepEqual(square.apply([[2, 3]]).array(), [[4, 9]]);
  assert.deepEqual(new Sequential([square]).predict([[2, 3]]).array(), [[4, 9]]);
  const input = Input({ shape: [2] });
  assert.deepEqual(
    new Model({ inputs: input, outputs: square.apply(input) }).predict([[2, 3]]).array(),
    [[4, 9]],
  );
});

test('a function whose parameter list names mask receives it', () => {
  const layer = layers.lambda({ function: sumOfKept });
  const { result, warnings } = collectWarnings(() => layer.apply(x().withMask(mask)));
  assert.deepEqual(result.array(), [
    [2, 4],
    [6, 7],
  ]);
  assert.equal(result.mask, null);
  assert.deepEqual(warnings, []);
});

test('a function that receives the mask but returns steps without it is reported', () => {
  const layer = layers.lambda({
    function: (inputs, { mask }) => ops.where(ops.expandDims(mask, -1), inputs, 0),
  });
  const { result, warnings } = collectWarnings(() => layer.apply(x().withMask(mask)));
  assert.deepEqual([result.shape, result.mask, warnings.length], [[2, 3, 2], null, 1]);
  assert.match(warnings[0], /Lambda.*does not support masking/);
});

test('without the mask setting the mask is dropped; with it the setting decides', () => {
  const plusOne = (inputs) => ops.add(inputs, 1);
  const bare = collectWarnings(() => new Lambda({ function: plusOne }).apply(x().withMask(mask)));
  assert.deepEqual([bare.result.mask, bare.warnings.length], [null, 1]);
  const keeps = new Lambda({ function: plusOne, mask: (_inputs, previous) => previous });
  assert.equal(keeps.supportsMasking, true);
  const { result, warnings } = collectWarnings(() => keeps.apply(x().withMask(mask)));
  assert.deepEqual([letters(result.mask), warnings], [['TTF', 'TFF'], []]);
  assert.equal(keeps.apply(x()).mask, null);
  const constant = new Lambda({ function: plusOne, mask: tensor(rows('FFT FFT')) });
  assert.deepEqual(letters(constant.apply(x()).mask), ['FFT', 'FFT']);
});

test('shapes are found by a trial run, given as a list without the batch, or by a function', () => {
  const flat = (inputs) => ops.sum(inputs, { axis: 1 });
  const symbol = Input({ shape: [3, 2] });
  assert.deepEqual(new Lambda({ function: flat }).apply(symbol).shape, [null, 2]);
  assert.deepEqual(new Lambda({ function: flat, outputShape: [2] }).apply(symbol).shape, [null, 2]);
  const rule = ([batch, , features]) => [batch, features];
  assert.deepEqual(new Lambda({ function: flat, outputShape: rule }).apply(symbol).shape, [
    null,
    2,
  ]);
});

test('the function receives training', () => {
  const modes = [];
  const layer = new Lambda({
    function: (inputs, { training }) => {
      modes.push(training);
      return inputs;
    },
  });
  layer.apply(x(), { training: true });
  layer.apply(x(), { training: false });
  assert.deepEqual(modes, [true, false]);
});

test('without a function the error says what is needed', () => {
  for (const config of [{}, { function: 'lambda x: x' }, undefined]) {
    assert.throws(() => new Lambda(config), /needs \{ function \}/);
  }
});

test('a copy of the model keeps the function, and nothing warns of lost settings', () => {
  const { cloneModel, layers, Sequential } = training;
  const model = new Sequential([layers.lambda((inputs) => training.ops.multiply(inputs, 2))]);
  const { result, warnings } = collectWarnings(() => cloneModel(model));
  assert.deepEqual(result.predict([[1, 2]]).array(), [[2, 4]]);
  assert.deepEqual(warnings, []);
});
