// SPDX-License-Identifier: MIT
// A mask travels on its tensor: it can be attached, read, replaced and removed; ops drop it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { leavesNothing, letters, rows, collectWarnings } from '../support/watch.js';

before(() => mf.ready());

const { layers, ops, tensor } = mf;
const x = () => ops.reshape(ops.arange(12, { dtype: 'float32' }), [2, 3, 2]);
const mask = rows('TTF TFF');

test('a tensor has no mask until one is attached', () => {
  assert.equal(x().mask, null);
  const masked = x().withMask(mask);
  assert.equal(masked.mask.dtype, 'bool');
  assert.deepEqual(masked.mask.array(), mask);
  assert.equal(masked.withMask(null).mask, null);
  assert.deepEqual(letters(masked.mask), ['TTF', 'TFF']);
});

const forms = {
  'a bool tensor': () => tensor(mask),
  'a float tensor, non-zero = keep': () =>
    tensor([
      [0.3, -1, 0],
      [Number.NaN, 0, -0],
    ]),
  'an int tensor': () =>
    tensor(
      [
        [1, 2, 0],
        [-1, 0, 0],
      ],
      { dtype: 'int32' },
    ),
  'nested booleans': () => mask,
  'nested numbers': () => [
    [1, 1, 0],
    [1, 0, 0],
  ],
  'a flat Uint8Array': () => Uint8Array.of(1, 1, 0, 1, 0, 0),
};

for (const [title, form] of Object.entries(forms)) {
  test(`${title} as a mask: attached or explicit`, () => {
    const lstm = layers.lstm({ units: 2, returnSequences: true });
    const attached = x().withMask(form());
    assert.deepEqual(attached.mask.array(), mask);
    const explicit = lstm.apply(x(), { mask: form() });
    assert.deepEqual(explicit.mask.array(), mask);
    assert.deepEqual(explicit.array(), lstm.apply(attached).array());
  });
}

test('a Uint8Array with one byte per row masks rows', () => {
  const masked = tensor([
    [1, 2],
    [3, 4],
    [5, 6],
  ]).withMask(Uint8Array.of(1, 0, 1));
  assert.deepEqual(masked.mask.array(), [true, false, true]);
  assert.throws(() => tensor([[1, 2, 3]]).withMask(Uint8Array.of(1, 0)), mf.ShapeError);
});

test('the mask of a mask tensor is ignored, and the mask passed to withMask() may be disposed of', () => {
  const maskTensor = tensor(mask);
  const masked = x().withMask(maskTensor);
  maskTensor.dispose();
  masked.mask.dispose();
  assert.deepEqual(masked.mask.array(), mask);
});

test('reading, attaching and removing masks frees all memory', () => {
  const data = x();
  leavesNothing(() => {
    const masked = data.withMask(mask);
    masked.mask.dispose();
    const unmasked = masked.withMask(null);
    masked.dispose();
    unmasked.dispose();
  });
});

test('ops drop the mask without a warning', () => {
  const masked = x().withMask(mask);
  const { result, warnings } = collectWarnings(() => [
    ops.add(masked, 1),
    ops.relu(masked),
    ...ops.split(masked, 3, { axis: 1 }),
    ops.zerosLike(masked),
    ops.concatenate([masked, masked]),
  ]);
  assert.deepEqual(
    result.map((y) => y.mask),
    result.map(() => null),
  );
  assert.deepEqual(warnings, []);
});

test('masks are tensors that ops accept', () => {
  const [first, second] = ops.split(tensor(mask), [2], { axis: 1 });
  assert.deepEqual(
    [first.dtype, letters(first), letters(second)],
    ['bool', ['TT', 'TF'], ['F', 'F']],
  );
  assert.deepEqual(letters(ops.notEqual(tensor([[3, 0]], { dtype: 'int32' }), 0)), ['TF']);
});

test('layers that compute each step alone pass the mask on', () => {
  const masked = x().withMask(mask);
  for (const layer of [
    layers.dense({ units: 3 }),
    layers.dropout({ rate: 0.5 }),
    layers.layerNormalization(),
  ]) {
    assert.deepEqual(layer.apply(masked).mask.array(), mask, layer.className);
  }
});

test('an explicit mask wins over the attached one, for the results and for the mask passed on', () => {
  const lstm = layers.lstm({ units: 2, returnSequences: true });
  const otherMask = rows('FTT FFT');
  const y = lstm.apply(x().withMask(mask), { mask: otherMask });
  assert.deepEqual(y.mask.array(), otherMask);
  assert.deepEqual(y.array(), lstm.apply(x(), { mask: otherMask }).array());
  assert.notDeepEqual(y.array(), lstm.apply(x().withMask(mask)).array());
});

test('mask: null means no explicit mask, as in Keras', () => {
  const y = layers
    .gru({ units: 2, returnSequences: true })
    .apply(x().withMask(mask), { mask: null });
  assert.deepEqual(y.mask.array(), mask);
});
