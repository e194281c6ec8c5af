// SPDX-License-Identifier: MIT
// readTorch runs nothing in a file, reads views and byte orders, finds state dicts in checkpoints,
// and refuses other files with a typed error.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { zipSync } from 'fflate';
import * as mf from '../../dist/torch.js';
import { archive, call, dictionary, name, tensor, text } from '../support/torch_pickles.js';

before(() => mf.ready());

const weight = tensor([2, 3], [3, 1]);
const state = dictionary(['fc.weight', weight], ['fc.bias', tensor([2], [1])]);

async function refuses(bytes, kind, message, options) {
  await assert.rejects(mf.readTorch(bytes, options), (error) => {
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, message);
    return true;
  });
}

test('a call of Python is refused by name', async () => {
  const bytes = archive(call('os', 'system', text('touch /tmp/ran')));
  await refuses(bytes, 'format', /'os\.system', which is not run/);
  await refuses(archive(call('builtins', 'eval', text('1'))), 'format', /'builtins\.eval'/);
});

test('an opcode that torch.save does not write is refused', async () => {
  const bytes = archive([0x28, 0x69, ...new TextEncoder().encode('os\nsystem\n')]);
  await refuses(bytes, 'format', /opcode 'i' at 3/);
});

test('objects of unknown classes are records', async () => {
  const object = [...name('subprocess', 'Popen'), 0x29, 0x81];
  const file = await mf.readTorch(archive(dictionary(['config', object], ['fc.weight', weight])));
  assert.deepEqual(file.names, ['fc.weight']);
});

test('keys such as __proto__ change no prototype', async () => {
  const bytes = archive(
    dictionary(
      ['__proto__', dictionary(['polluted', [0x88]])],
      ['__proto__.weight', weight],
      ['constructor.prototype', tensor([6], [1])],
    ),
  );
  const file = await mf.readTorch(bytes);
  assert.deepEqual(file.names, ['__proto__.weight', 'constructor.prototype']);
  assert.equal({}.polluted, undefined);
});

test('views have strides and offsets, and share their storage', async () => {
  const opcodes = dictionary(
    ['fc.weight', tensor([3, 2], [1, 3])],
    ['fc.bias', tensor([3], [2], { offset: 1 })],
    ['row', tensor([2, 3], [0, 1])],
  );
  const file = await mf.readTorch(archive(opcodes));
  assert.deepEqual(file.get('fc.weight').array(), [
    [1, 4],
    [2, 5],
    [3, 6],
  ]);
  assert.deepEqual(file.get('fc.bias').array(), [2, 4, 6]);
  assert.deepEqual(file.get('row').array(), [
    [1, 2, 3],
    [1, 2, 3],
  ]);
});

test('views that leave their storage, or are far larger than the file, are refused', async () => {
  const at = (...args) => archive(dictionary(['fc.weight', tensor(...args)]));
  await refuses(at([3, 2], [2, 1], { offset: 1 }), 'format', /needs 28 bytes.*has 24/);
  await refuses(at([3, 2], [-2, 1], { offset: 4 }), 'format', /whole numbers from 0 on/);
  const wide = [0x8a, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1];
  await refuses(at([3, 2], [2, 1], { offset: wide }), 'format', /whole numbers from 0 on/);
  await refuses(at([2 ** 31 - 1, 2 ** 31 - 1, 9], [0, 0, 0]), 'format', /too many/);
  await refuses(at([100_000, 100_000], [0, 0]), 'format', /limits\.ratio/);
});

test('deep, circular and repeated values end in a FormatError', async () => {
  const deep = [...Array(5000).fill(0x5d), ...Array(4999).fill(0x61)];
  await refuses(archive(deep), 'format', /limits\.depth/);
  await refuses(archive([0x5d, 0x71, 0, 0x68, 0, 0x61]), 'format', /no state dict/);
  const repeated = Array.from({ length: 60 }, (_, i) =>
    i === 0
      ? [0x5d, 0x71, 0]
      : [
          0x5d,
          0x71,
          i,
          0x28,
          ...Array(50)
            .fill([0x68, i - 1])
            .flat(),
          0x65,
        ],
  );
  await refuses(archive(repeated.flat()), 'format', /no state dict/);
  await refuses(archive(Array(200).fill(0x5d)), 'format', /limits\.nodes/, {
    limits: { nodes: 99 },
  });
});

test('the byte order of the archive is that of its tensors', async () => {
  const big = { 'model/byteorder': new TextEncoder().encode('big') };
  const data = {
    'model/data/0': Uint8Array.from([0x3f, 0x80, 0, 0, 0x40, 0, 0, 0, ...Array(16).fill(0)]),
  };
  const file = await mf.readTorch(archive(state, { ...big, ...data }));
  assert.deepEqual(file.get('fc.weight').array(), [
    [1, 2, 0],
    [0, 0, 0],
  ]);
});

test('an int64 that int32 cannot hold is a ValueError', async () => {
  const opcodes = dictionary(
    ['steps', tensor([3], [1], { count: 3, type: 'LongStorage' })],
    ['fc.weight', tensor([2, 1], [1, 1], { count: 2 })],
  );
  const data = (...values) => ({
    'model/data/0': new Uint8Array(BigInt64Array.from(values).buffer),
  });
  const small = await mf.readTorch(archive(opcodes, data(7n, -8n, 2n ** 31n - 1n)));
  assert.deepEqual(small.get('steps').array(), [7, -8, 2 ** 31 - 1]);
  assert.equal(small.get('steps').dtype, 'int32');
  const large = await mf.readTorch(archive(opcodes, data(7n, 2n ** 31n, 0n)));
  assert.throws(() => large.get('steps'), { kind: 'value', message: /2147483648, outside/ });
});

test('the state dict of a checkpoint is found beside tensors and an optimizer', async () => {
  const slots = [0x7d, 0x28, 0x4b, 0, ...dictionary(['exp_avg', weight]), 0x75];
  const optimizer = dictionary(['state', slots], ['param_groups', [0x5d]]);
  const checkpoint = archive(
    dictionary(
      ['loss', tensor([], [])],
      ['best', tensor([2], [1])],
      ['state_dict', state],
      ['optimizer_states', [0x5d, ...optimizer, 0x61]],
    ),
  );
  assert.deepEqual((await mf.readTorch(checkpoint)).names, ['fc.weight', 'fc.bias']);
});

test('one of several state dicts is chosen by its path', async () => {
  const two = archive(dictionary(['model', state], ['ema', dictionary(['shadow', state])]));
  await refuses(two, 'config', /'model', 'ema\.shadow'; choose one/);
  for (const inside of ['model', 'ema', 'ema.shadow']) {
    assert.equal((await mf.readTorch(two, { inside })).names.length, 2, inside);
  }
  await refuses(two, 'config', /'modle' \(did you mean 'model'\?\)/, { inside: 'modle' });
  await refuses(two, 'config', /unknown option 'insid' \(did you mean 'inside'/, { insid: '' });
});

test('other files are refused by name', async () => {
  const bytes = (value) => new TextEncoder().encode(value);
  // A program of torch.jit.save without weights: the pickle of a module without attributes.
  const script = Buffer.from('\x80\x02c__torch__\nNet\n)\x81}b.', 'latin1');
  await refuses(
    zipSync({ 'm/constants.pkl': script, 'm/data.pkl': script }),
    'format',
    /no state dict and no module/,
  );
  await refuses(
    zipSync({ 'serialized_exported_program.json': bytes('{}') }),
    'unsupported',
    /torch\.export/,
  );
  await refuses(zipSync({ 'config.json': bytes('{}') }), 'format', /no data\.pkl.*loadModel/);
  await refuses(new Uint8Array(), 'format', /empty/);
  await refuses(bytes('<!doctype html>'), 'format', /web page/);
  await refuses(Uint8Array.from([0x80, 4, 0x7d, 0x2e]), 'format', /no state dict/);
  const empty = Uint8Array.from([0x80, 2, 0x7d, 0x2e]);
  await assert.rejects(mf.loadModel(empty), /readTorch of maskflow\/torch/);
});

const layerErrors = [
  ['rn', {}, 'config', /no module 'rn'.*its modules are 'a', 'emb'/],
  ['', {}, 'config', /not a single module/],
  ['a', {}, 'config', /Embedding or Linear; say which/],
  ['a', { kind: 'Embeding' }, 'config', /did you mean 'Embedding'/],
  ['a', { kind: 'LSTM' }, 'config', /not of the kind LSTM/],
  [
    'a',
    { kind: 'Linear', inFeatures: 4 },
    'config',
    /inFeatures 3 in the file, but the option is 4/,
  ],
  ['head', { activaton: 'relu' }, 'config', /did you mean 'activation'/],
  ['emb', { paddingIdx: 5 }, 'config', /paddingIdx is 5, but 'emb' has 2 rows/],
  ['emb', { maskId: -3 }, 'config', /maskId is -3, but 'emb' has 2 rows/],
  ['emb', { maskZero: true, maskId: 1 }, 'config', /maskId is 1, but maskZero masks the id 0/],
  ['conv', { padding: 'x' }, 'config', /padding is 'x' but must be a whole number/],
  ['conv', { paddingMode: 'circular' }, 'unsupported', /padding_mode 'circular'/],
  ['image', {}, 'unsupported', /'image': Conv2d of PyTorch has no layer here/],
  ['mha', {}, 'config', /needs the option numHeads, which a state dict does not have: one of 1, 2/],
  ['mha', { numHeads: 3 }, 'config', /to divide its 2 features, but it is 3/],
  ['lstm', {}, 'unsupported', /proj_size 1/],
];

test('layers that cannot be made throw errors that name module, number and remedy', async () => {
  const entries = {
    'a.weight': [2, 3],
    'emb.weight': [2, 3],
    'head.weight': [2, 3],
    'conv.weight': [1, 3, 2],
    'image.weight': [1, 1, 2, 3],
    'mha.in_proj_weight': [6, 2],
    'mha.out_proj.weight': [2, 2],
    'lstm.weight_ih_l0': [8, 1],
    'lstm.weight_hh_l0': [8, 1],
    'lstm.weight_hr_l0': [1, 2],
  };
  const opcodes = Object.entries(entries).map(([key, shape]) => [
    key,
    tensor(
      shape,
      shape.map(() => 0),
    ),
  ]);
  const file = await mf.readTorch(archive(dictionary(...opcodes)));
  for (const [path, options, kind, message] of layerErrors) {
    assert.throws(() => file.layer(path, options), { kind, message }, `${path} ${message}`);
  }
  assert.equal(file.layer('a', { kind: 'Linear' }).className, 'Dense');
});

test('a module that was saved whole has its settings', async () => {
  const folder = new URL('../fixtures/torch/whole/', import.meta.url);
  const file = await mf.readTorch(new Uint8Array(readFileSync(new URL('module.pth', folder))));
  const results = JSON.parse(readFileSync(new URL('results.json', folder), 'utf8'));
  const parts = ['emb', 'rnn', 'norm', 'enc', 'conv'];
  const layers = parts.map((path) => file.layer(path));
  for (const [part, expected] of Object.entries(results)) {
    const model = new mf.Sequential(layers.slice(0, parts.indexOf(part) + 1));
    const wanted = expected.flat(3);
    const actual = model.predict([[1, 2, 3, 4, 5, 6]]).data();
    assert.equal(actual.length, wanted.length);
    wanted.forEach((value, i) => {
      assert.ok(Math.abs(actual[i] - value) < 1e-5, `${part} ${i}: ${actual[i]}, not ${value}`);
    });
  }
});

test('an id other than 0 can be masked, and each id keeps its row', async () => {
  const file = await mf.readTorch(archive(dictionary(['emb.weight', tensor([3, 2], [2, 1])])));
  const y = file.layer('emb', { maskId: 1 }).apply([[0, 1, 2]]);
  assert.deepEqual(y.array(), [
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
  ]);
  assert.deepEqual(y.mask.array(), [[true, false, true]]);
});
