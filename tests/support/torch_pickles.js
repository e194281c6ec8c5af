// SPDX-License-Identifier: MIT
// Writes pickles and archives as torch.save does, and hostile ones that it never writes.
import { zipSync } from 'fflate';

const bytesOf = (text) => new TextEncoder().encode(text);
const word = (n) => [n & 255, (n >> 8) & 255, (n >> 16) & 255, n >>> 24];

/** Opcodes of text, of a name of Python, and of an integer. */
export const text = (value) => [0x58, ...word(bytesOf(value).length), ...bytesOf(value)];
export const name = (module, last) => [0x63, ...bytesOf(`${module}\n${last}\n`)];
export const integer = (value) => [0x4a, ...word(value)];

/** Opcodes of a tuple, of a dictionary of [key, opcodes] pairs, and of a call. */
export const tuple = (...items) => [0x28, ...items.flat(), 0x74];
export const dictionary = (...entries) => [
  0x7d,
  0x28,
  ...entries.flatMap(([key, value]) => [...text(key), ...value]),
  0x75,
];
export const call = (module, last, ...items) => [...name(module, last), ...tuple(...items), 0x52];

/** Opcodes of a tensor in storage '0', which has `count` elements; `offset` may be opcodes, too. */
export function tensor(shape, strides, { offset = 0, count = 6, type = 'FloatStorage' } = {}) {
  const storage = tuple(
    text('storage'),
    name('torch', type),
    text('0'),
    text('cpu'),
    integer(count),
  );
  return call(
    'torch._utils',
    '_rebuild_tensor_v2',
    [...storage, 0x51],
    Array.isArray(offset) ? offset : integer(offset),
    tuple(...shape.map(integer)),
    tuple(...strides.map(integer)),
    [0x89],
    call('collections', 'OrderedDict'),
  );
}

/** The bytes of a pickle of protocol 2. */
export const pickle = (opcodes) => Uint8Array.from([0x80, 2, ...opcodes, 0x2e]);

/** An archive like torch.save's; storage '0' has the floats 1 to 6. `files` replace others. */
export function archive(opcodes, files = {}) {
  return zipSync({
    'model/data.pkl': pickle(opcodes),
    'model/version': bytesOf('3\n'),
    'model/data/0': new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6).buffer),
    ...files,
  });
}
