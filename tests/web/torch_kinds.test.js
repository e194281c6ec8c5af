// SPDX-License-Identifier: MIT
// How readTorch tells modules apart that have tensors of the same names, and the options of
// `layer`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/torch.js';
import { archive, dictionary, tensor } from '../support/torch_pickles.js';
import { cpuTime } from '../support/cpu_time.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

/** A file with tensors of these shapes, which share the floats 1 to 6. */
function fileOf(shapes) {
  const strides = (shape) => shape.map((_, axis) => (axis === shape.length - 1 ? 1 : 0));
  const entries = Object.entries(shapes);
  const tensors = entries.map(([name, shape]) => [name, tensor(shape, strides(shape))]);
  return mf.readTorch(archive(dictionary(...tensors)));
}

const kinds = [
  ['LayerNorm', { 'a.weight': [2, 3], 'a.bias': [2, 3] }],
  ['Linear', { 'a.weight': [2, 3], 'a.bias': [2] }],
  ['Conv1d', { 'a.weight': [2, 3, 4], 'a.bias': [2] }],
  ['ConvTranspose1d', { 'a.weight': [2, 3, 4], 'a.bias': [3] }],
  ['module with spectral_norm', { 'a.weight_orig': [2, 3], 'a.weight_u': [4], 'a.weight_v': [3] }],
  ['LayerNorm or RMSNorm or PReLU', { 'a.weight': [3] }],
  ['RMSNorm', { 'rms_norm.weight': [3] }],
  ['PReLU', { 'act.weight': [3] }],
];
for (const [kind, shapes] of kinds) {
  test(`${JSON.stringify(shapes)} is ${kind}`, async () => {
    const { modules } = await fileOf(shapes);
    assert.deepEqual(
      modules.map((module) => module.kind),
      [kind],
    );
  });
}

test('a module that may be several kinds is an error that lists them', async () => {
  const file = await fileOf({ 'norm.weight': [3] });
  assert.throws(() => file.layer('norm'), {
    kind: 'config',
    message: /LayerNorm or RMSNorm or PReLU; say which: \{ kind: 'LayerNorm' \}/,
  });
  const x = mf.tensor([[3, 4, 12]]);
  const [row] = file.layer('norm', { kind: 'RMSNorm' }).apply(x).array();
  const size = Math.sqrt((9 + 16 + 144) / 3);
  for (const [i, value] of [3, 4, 12].entries()) {
    assert.ok(Math.abs(row[i] - (value * (i + 1)) / size) < 1e-5, `${row}`);
  }
  const first = file.layer('norm', { kind: 'RMSNorm', eps: 169 }).apply(x).array()[0][0];
  assert.ok(Math.abs(first - 3 / Math.sqrt(169 / 3 + 169)) < 1e-5, `${first}`);
});

test('a stride beside a dilation takes every second result of the dilated kernel', async () => {
  const file = await fileOf({ 'conv.weight': [1, 1, 3] });
  const x = mf.tensor([[[1], [4], [2], [8], [5], [7], [3], [6], [9], [1]]]);
  const settings = { dilation: 2, padding: 1 };
  const all = file.layer('conv', settings).apply(x).array()[0];
  const layer = file.layer('conv', { ...settings, stride: 3 });
  assert.deepEqual(
    layer.apply(x).array()[0],
    all.filter((_, i) => i % 3 === 0),
  );
  const { name } = layer;
  assert.equal(name, 'conv');
});

describe('options', () => {
  const wrong = [
    ['fc', { activation: 3 }, /activation is 3 but must be text/],
    ['fc', { bias: 'yes' }, /bias is 'yes' but must be true or false/],
    ['rnn', { dropout: Symbol('x') }, /dropout is a symbol but must be a number/],
    ['rnn', { returnState: 1 }, /returnState is 1 but must be true or false/],
    ['rnn', { nonlinearity: {} }, /nonlinearity is an object but must be text/],
    ['mha', { numHeads: Object.create(null) }, /numHeads is an object but must be a number/],
    ['mha', { numHeads: 0 }, /to divide its 2 features, but it is 0/],
    ['conv', { groups: 0 }, /groups is 0 but must be at least 1/],
    ['conv', { groups: 10n }, /groups is a bigint but must be a number/],
    ['conv', { padding: [1, 2] }, /padding is a list but must be a whole number/],
    ['conv', { padding: -1, name: '' }, /padding is -1 but must be a whole number/],
    ['conv', { padding: 1, name: '\ud800' }, /surrogate/],
    ['bi', { name: '\ud800' }, /surrogate/],
    ['emb', { paddingIdx: 'x' }, /paddingIdx is 'x' but must be a number/],
    ['emb', { maskId: 'x' }, /maskId is 'x' but must be a number/],
    ['emb', { maskZero: 1 }, /maskZero is 1 but must be true or false/],
    ['emb', { kind: ['LSTM'] }, /not of the kind LSTM/],
  ];
  const shapes = {
    'fc.weight': [2, 3],
    'fc.bias': [2],
    'emb.weight': [4, 3],
    'conv.weight': [2, 1, 3],
    'rnn.weight_ih_l0': [2, 3],
    'rnn.weight_hh_l0': [2, 2],
    'bi.weight_ih_l0': [2, 3],
    'bi.weight_hh_l0': [2, 2],
    'bi.weight_ih_l0_reverse': [2, 3],
    'bi.weight_hh_l0_reverse': [2, 2],
    'mha.in_proj_weight': [6, 2],
    'mha.out_proj.weight': [2, 2],
  };

  test('of other types are errors with name and value, and nothing is left', async () => {
    const file = await fileOf(shapes);
    const { tensors } = mf.memory();
    for (const [path, options, message] of wrong) {
      assert.throws(
        () => file.layer(path, options),
        (error) => {
          assert.ok(error instanceof mf.MaskflowError, error.stack);
          assert.match(error.message, message);
          return true;
        },
        `${path} ${message}`,
      );
    }
    assert.equal(mf.memory().tensors, tensors);
  });

  test('null, as None in PyTorch, leaves an option out; a list of one is its number', async () => {
    const file = await fileOf(shapes);
    const layer = file.layer('conv', { kernelSize: [3], stride: [1], activation: null });
    assert.equal(layer.getConfig().activation, 'linear');
    assert.equal(file.layer('emb', { paddingIdx: null }).getConfig().mask_zero, false);
    assert.equal(file.layer('fc', { in_features: 3 }).className, 'Dense');
  });
});

test('modules of a whole module list its settings, and a program need not repeat them', async () => {
  const url = new URL('../fixtures/torch/whole/module.pth', import.meta.url);
  const { modules } = await mf.readTorch(new Uint8Array(readFileSync(url)));
  const embedding = modules.find(({ kind }) => kind === 'Embedding');
  assert.ok('paddingIdx' in embedding, JSON.stringify(modules));
  const encoder = modules.find(({ kind }) => kind.startsWith('Transformer'));
  for (const name of ['nhead', 'normFirst', 'activation']) assert.ok(name in encoder, name);
  const { inChannels, groups } = modules.find(({ kind }) => kind === 'Conv1d');
  assert.deepEqual([inChannels, groups], [6, 2]);
});

test('many modules are listed once: each layer of a large file is made at once', async () => {
  const names = Array.from({ length: 3000 }, (_, i) => [`h${i}.fc.weight`, [2, 3]]);
  const file = await fileOf(Object.fromEntries(names));
  const start = cpuTime();
  for (let i = 0; i < 3000; i++) file.layer(`h${i}.fc`).dispose();
  const time = cpuTime() - start;
  assert.ok(time < 8000, `${time} ms`);
});
