// SPDX-License-Identifier: MIT
// readTorch meets pickles written by hand: calls that only look like data, nesting, sizes and names
// that torch.save never writes. Each ends in a typed error or in data, and nothing is executed.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { zipSync } from 'fflate';
import * as mf from '../../dist/torch.js';
import {
  archive,
  call,
  dictionary,
  integer,
  name,
  pickle,
  tensor,
  text,
  tuple,
} from '../support/torch_pickles.js';

before(() => mf.ready());
const folder = mkdtempSync(join(tmpdir(), 'maskflow-'));
after(() => rmSync(folder, { recursive: true }));

const weight = tensor([2, 3], [3, 1]);
const beside = (opcodes) => archive(dictionary(['other', opcodes], ['fc.weight', weight]));
const bytesOf = (value) => [...new TextEncoder().encode(value)];
const eight = (value) => [...new Uint8Array(BigUint64Array.of(value).buffer)];

async function isFormatError(bytes, message, options) {
  await assert.rejects(mf.readTorch(bytes, options), (error) => {
    assert.ok(error instanceof mf.MaskflowError, error.stack);
    assert.match(error.message, message);
    assert.ok(error.message.length < 30_000, `${error.message.length} characters`);
    return true;
  });
}

describe('nothing is executed', () => {
  const trace = join(folder, 'ran');
  const command = text(`touch ${trace}`);
  const attacks = {
    GLOBAL: call('os', 'system', command),
    STACK_GLOBAL: [...text('posix'), ...text('system'), 0x93, ...tuple(command), 0x52],
    'STACK_GLOBAL of memoized words': [
      ...[...text('os'), 0x94, 0x30, ...text('system'), 0x94, 0x30],
      ...[0x68, 0, 0x68, 1, 0x93, ...tuple(command), 0x52],
    ],
    'a tensor of a subclass': call(
      'torch._tensor',
      '_rebuild_from_type_v2',
      name('os', 'system'),
      name('torch', 'Tensor'),
      tuple(command),
      [0x7d],
    ),
    'getattr of another module': call('builtins', 'getattr', name('os', 'path'), text('join')),
    'a result of getattr': [
      ...call('builtins', 'getattr', name('torch.os', 'x'), text('system')),
      ...tuple(command),
      0x52,
    ],
    eval: call('builtins', 'eval', text('1')),
    __import__: call('builtins', '__import__', text('os')),
    'torch.load': call('torch', 'load', text('x')),
    'a bytes loader': call('torch.storage', '_load_from_bytes', text('x')),
    'a name of JavaScript': call('__proto__', 'constructor', text('x')),
  };
  for (const [what, opcodes] of Object.entries(attacks)) {
    test(what, async () => {
      await isFormatError(beside(opcodes), /which is not run/);
      assert.equal(existsSync(trace), false);
    });
  }

  for (const [code, operand] of [
    [0x69, bytesOf('os\nsystem\n')],
    [0x6f, []],
    [0x82, [1]],
    [0x97, []],
    [0x98, []],
    [0x50, bytesOf('0\n')],
    [0x49, bytesOf('1\n')],
  ]) {
    test(`the opcode 0x${code.toString(16)} is refused`, () =>
      isFormatError(archive([0x28, ...text('x'), code, ...operand]), /does not write/));
  }

  test('functions of PyTorch as attributes are names', async () => {
    const tanh = call(
      '__builtin__',
      'getattr',
      name('torch._C', '_VariableFunctions'),
      text('tanh'),
    );
    const file = await mf.readTorch(beside(tanh));
    assert.deepEqual(file.names, ['fc.weight']);
  });
});

describe('nesting and repetition end', () => {
  test('tensors of subclasses of subclasses', async () => {
    const words = [
      ...[...name('torch._tensor', '_rebuild_from_type_v2'), 0x71, 0, 0x30],
      ...[...name('a', 'b'), 0x71, 1, 0x30, 0x29, 0x71, 2, 0x30],
    ];
    const nested = Array.from({ length: 5000 }, () => [
      0x68, 0, 0x68, 1, 0x68, 2, 0x87, 0x71, 2, 0x30,
    ]);
    const opcodes = [...words, ...nested.flat(), 0x68, 0, 0x68, 2, 0x52];
    await isFormatError(archive(opcodes), /limits\.depth/);
  });

  test('modules that contain each other many times', async () => {
    const moduleOf = (modules, parameters) => [
      ...[...name('m', 'M'), 0x29, 0x81, 0x7d, 0x28, ...text('_parameters'), ...parameters],
      ...[...text('_modules'), ...modules, 0x75, 0x62],
    ];
    const opcodes = [...moduleOf([0x7d], dictionary(['weight', weight])), 0x71, 0, 0x30];
    for (let i = 1; i < 40; i++) {
      const inner = [0x7d, 0x28, ...text('a'), 0x68, i - 1, ...text('b'), 0x68, i - 1, 0x75];
      opcodes.push(...moduleOf(inner, [0x7d]), 0x71, i, 0x30);
    }
    const bytes = archive([...opcodes, 0x68, 39]);
    await isFormatError(bytes, /limits\.entries/, { limits: { entries: 10_000 } });
  });

  for (const [what, opcodes] of Object.entries({
    marks: Array(1_100_000).fill(0x28),
    values: [0x28, ...Array(1_100_000).fill(0x4e), 0x74],
    tuples: [0x29, ...Array(1_100_000).fill(0x85)],
  })) {
    test(`a million ${what}`, () => isFormatError(archive(opcodes), /limits\.nodes/));
  }
});

describe('a few opcodes that copy much', () => {
  const pairs = Array.from({ length: 2000 }, (_, i) => [...text(`k${i}`), 0x4b, 1]);
  const large = [0x7d, 0x28, ...pairs.flat(), 0x75, 0x71, 0, 0x30];
  const times = (count, opcodes) => Array(count).fill(opcodes).flat();
  const ordered = [...name('collections', 'OrderedDict'), 0x71, 1, 0x30];
  const object = [...name('m', 'M'), 0x29, 0x81];

  test('a dictionary as an argument, a thousand times', () =>
    isFormatError(
      archive([...large, ...ordered, ...times(1000, [0x68, 1, 0x68, 0, 0x85, 0x52, 0x30]), 0x4e]),
      /limits\.nodes/,
    ));

  test('a dictionary as a state, a thousand times', () =>
    isFormatError(
      archive([...large, ...object, ...times(1000, [0x68, 0, 0x62])]),
      /limits\.nodes/,
    ));

  test('names of members of members', () => {
    const getattr = [...name('builtins', 'getattr'), 0x71, 1, 0x30];
    const start = [...name('torch', 'nn'), 0x71, 2, 0x30];
    const step = [0x68, 1, 0x68, 2, ...text('x'.repeat(100)), 0x86, 0x52, 0x71, 2, 0x30];
    return isFormatError(
      archive([...getattr, ...start, ...times(2000, step), 0x4e]),
      /limits\.text/,
    );
  });

  test('a shape of many axes in safetensors', async () => {
    const shape = Array(300_000).fill(0);
    const header = JSON.stringify({ a: { dtype: 'F32', shape, data_offsets: [0, 0] } });
    const bytes = new Uint8Array([...eight(BigInt(header.length)), ...bytesOf(header)]);
    const start = performance.now();
    await isFormatError(bytes, /sizes, strides or offset/);
    assert.ok(performance.now() - start < 5000);
  });
});

describe('sizes', () => {
  const sized = {
    'LONG4 of 2 GB': [0x8b, 255, 255, 255, 127],
    'LONG4 of a negative size': [0x8b, 255, 255, 255, 255],
    'BINBYTES8 of 2^63 bytes': [0x8e, 0, 0, 0, 0, 0, 0, 0, 128],
    'BINUNICODE8 of 2^64 - 1 bytes': [0x8d, ...eight(2n ** 64n - 1n)],
    'BYTEARRAY8 of 2^53 bytes': [0x96, ...eight(2n ** 53n)],
    'a name without an end': [0x63, ...Array(100_000).fill(65)],
  };
  for (const [what, opcodes] of Object.entries(sized)) {
    test(what, () => isFormatError(archive(opcodes), /damaged/));
  }

  test('a name of a megabyte', () =>
    isFormatError(archive([0x63, ...Array(1_000_000).fill(65), 10, 66, 10, 0x29, 0x52]), /calls/));

  test('storages of impossible sizes', async () => {
    const storage = (count) => [
      ...tuple(text('storage'), name('torch', 'FloatStorage'), text('0'), text('cpu'), count),
      0x51,
    ];
    for (const count of [integer(-6), [0x8a, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1], text('6'), [0x4e]]) {
      await isFormatError(beside(storage(count)), /damaged: a storage/);
    }
    const huge = tensor([2, 3], [3, 1], { count: 2 ** 31 - 1 });
    await isFormatError(archive(dictionary(['fc.weight', huge])), /24 bytes, but its tensors need/);
  });

  test('an archive that unpacks to 300 MB', async () => {
    const zeros = new Uint8Array(300_000_000);
    for (const path of ['m/data.pkl', 'm/byteorder']) {
      const files = { 'm/data.pkl': pickle(dictionary(['fc.weight', weight])) };
      await isFormatError(zipSync({ ...files, [path]: [zeros, { level: 9 }] }), /limits\.ratio/);
    }
  });

  test('paths in keys stay in the archive', async () => {
    const storage = tuple(
      text('storage'),
      name('torch', 'FloatStorage'),
      text('../../../../etc/passwd'),
      text('cpu'),
      integer(6),
    );
    const ends = [integer(0), tuple(integer(6)), tuple(integer(1)), [0x89], [0x7d]];
    const view = call('torch._utils', '_rebuild_tensor_v2', [...storage, 0x51], ...ends);
    await isFormatError(archive(dictionary(['fc.weight', view])), /has 0 bytes/);
  });
});

test('weights without elements, and of any sizes, are refused at once', async () => {
  const shapes = [[0, 1, 2 ** 31 - 1], [2 ** 31 - 1, 0], [0, 2 ** 31 - 1], [0]];
  for (const shape of shapes) {
    const view = tensor(
      shape,
      shape.map(() => 0),
    ); // prettier-ignore
    const file = await mf.readTorch(archive(dictionary(['fc.weight', view])));
    const [{ kind }] = file.modules;
    const options = kind.includes(' or ') ? { kind: kind.split(' ')[0] } : {};
    assert.throws(() => file.layer('fc', options), { kind: 'format', message: /is empty/ });
  }
});

test('names with empty parts are kept as stored', async () => {
  const names = ['', '.', '..weight', 'fc.', 'fc..weight'];
  const file = await mf.readTorch(archive(dictionary(...names.map((each) => [each, weight]))));
  assert.deepEqual(file.names, names);
  for (const each of names) assert.deepEqual(file.get(each).shape, [2, 3]);
});

test('a tensor that negates its storage cannot be read', async () => {
  const storage = tuple(
    text('storage'),
    name('torch', 'FloatStorage'),
    text('0'),
    text('cpu'),
    integer(6),
  );
  const negated = call(
    'torch._utils',
    '_rebuild_tensor_v2',
    [...storage, 0x51],
    integer(0),
    tuple(integer(6)),
    tuple(integer(1)),
    [0x89],
    call('collections', 'OrderedDict'),
    dictionary(['neg', [0x88]]),
  );
  const file = await mf.readTorch(beside(negated));
  assert.throws(() => file.get('other'), { kind: 'unsupported', message: /negates/ });
});

test('files that are not of PyTorch are refused with the formats that are read', async () => {
  for (const bytes of [
    Uint8Array.of(0x80),
    new Uint8Array(9),
    Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 128),
  ]) {
    await isFormatError(bytes, /readTorch reads \.pth and \.pt/);
  }
});
