// SPDX-License-Identifier: MIT
// Files of PyTorch: state dicts, modules, references and copies, in all containers.
import { zipSync } from 'fflate';
import * as mf from '../../../dist/train.js';
import { readTorch } from '../../../dist/torch.js';
import { pick } from '../../support/random.js';
import { call, dictionary, integer, name, text, tuple } from '../../support/torch_pickles.js';

const range = (size, make) => Array.from({ length: size }, (_, i) => make(i));
const bytesOf = (value) => new TextEncoder().encode(value);
const word = (n) => [n & 255, (n >> 8) & 255, (n >> 16) & 255, n >>> 24];

/** Appends lists of opcodes without spreading a large one. */
class Opcodes {
  #pieces = [];
  add(...lists) {
    for (const list of lists) this.#pieces.push(Uint8Array.from(list));
    return this;
  }
  pickle() {
    return Buffer.concat([Uint8Array.of(0x80, 2), ...this.#pieces, Uint8Array.of(0x2e)]);
  }
  archive() {
    const pickle = this.pickle();
    const data = new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6).buffer);
    return zipSync(
      { 'm/data.pkl': pickle, 'm/version': bytesOf('3\n'), 'm/data/0': data },
      { level: 0 },
    );
  }
}

const storage = [
  ...tuple(text('storage'), name('torch', 'FloatStorage'), text('0'), text('cpu'), integer(6)),
  0x51,
];
const rebuilt = call(
  'torch._utils',
  '_rebuild_tensor_v2',
  storage,
  integer(0),
  tuple(integer(2), integer(3)),
  tuple(integer(3), integer(1)),
  [0x89],
  call('collections', 'OrderedDict'),
);
const put = (index) => [0x72, ...word(index)];
const get = (index) => [0x6a, ...word(index)];
const kWeight = 1_000_000;
const weightFirst = (opcodes) => opcodes.add(rebuilt, put(kWeight), [0x30]);

/** A state dict whose tensors are references to one. */
function stateDict(size, nameOf) {
  const opcodes = weightFirst(new Opcodes()).add([0x7d, 0x28]);
  for (let i = 0; i < size; i++) opcodes.add(text(nameOf(i)), get(kWeight));
  return opcodes.add([0x75]).archive();
}

/** Reads a file, and uses everything that its object offers. */
async function useAll(bytes) {
  const file = await readTorch(bytes);
  const all = file.modules;
  for (const { path } of all.slice(0, 200)) {
    try {
      file.layer(path).dispose();
    } catch (error) {
      if (!(error instanceof mf.MaskflowError)) throw error;
    }
  }
  for (const each of file.names.slice(0, 200)) file.get(each).dispose();
}

const moduleOf = (parameters, modules) => [
  [...name('m', 'M'), 0x29, 0x81, 0x7d, 0x28, ...text('_parameters')],
  parameters,
  text('_modules'),
  modules,
  [0x75, 0x62],
];

function safetensors(size, nameOf) {
  const header = JSON.stringify(
    Object.fromEntries(
      range(size, (i) => [nameOf(i), { dtype: 'F32', shape: [2, 3], data_offsets: [0, 24] }]),
    ),
  );
  return Buffer.concat([
    new Uint8Array(BigUint64Array.of(BigInt(bytesOf(header).length)).buffer),
    bytesOf(header),
    new Uint8Array(24),
  ]);
}

const torchNames = (random) => {
  const prefix = pick(random, [
    '',
    'module.',
    'model.model.',
    `${'block.'.repeat(5)}`,
    'x'.repeat(50),
  ]);
  const suffix = pick(random, ['.weight', '.bias', '.weight_ih_l0', '', '.a.b.c']);
  return (i) => `${prefix}l${i}${suffix}`;
};

const asTorch = (make, options) => ({ make, run: useAll, ...options });

export const torchStructures = {
  'readTorch: a state dict': asTorch((size, random) => stateDict(size, torchNames(random))),
  'readTorch: tensors of their own': asTorch((size, random) => {
    const nameOf = torchNames(random);
    const opcodes = new Opcodes().add([0x7d, 0x28]);
    for (let i = 0; i < size; i++) opcodes.add(text(nameOf(i)), rebuilt);
    return opcodes.add([0x75]).archive();
  }),
  'readTorch: a module of modules': asTorch((size, random) => {
    const nameOf = torchNames(random);
    const opcodes = weightFirst(new Opcodes());
    const inner = [
      [0x7d, 0x28],
      range(size, (i) => [
        ...text(nameOf(i).replaceAll('.', '_')),
        ...moduleOf(dictionary(['weight', get(kWeight)]), [0x7d]).flat(),
      ]),
      [0x75],
    ];
    const [head, , label, , tail] = moduleOf([], []);
    opcodes.add(head, [0x7d], label, inner[0]);
    for (const each of inner[1]) opcodes.add(each);
    return opcodes.add(inner[2], tail).archive();
  }),
  'readTorch: many state dicts': asTorch((size, random) => {
    const nameOf = torchNames(random);
    const opcodes = weightFirst(new Opcodes()).add([0x7d, 0x28]);
    for (let i = 0; i < size; i++)
      opcodes.add(text(`${nameOf(i)}`), dictionary(['fc.weight', get(kWeight)]));
    return opcodes.add([0x75]).archive();
  }),
  'readTorch: lists beside a state dict': asTorch((size) => {
    const opcodes = weightFirst(new Opcodes()).add([0x7d, 0x28], text('other'), [0x28]);
    for (let i = 0; i < size; i++) opcodes.add([0x5d]);
    return opcodes.add([0x6c], text('fc.weight'), get(kWeight), [0x75]).archive();
  }),
  'readTorch: copies of a dictionary': asTorch(
    (size) => {
      const opcodes = weightFirst(new Opcodes()).add([0x7d, 0x28]);
      for (let i = 0; i < size; i++) opcodes.add(text(`k${i}`), [0x4b, 1]);
      opcodes.add([0x75], put(0), [0x30], name('collections', 'OrderedDict'), put(1), [0x30]);
      for (let i = 0; i < size; i++) opcodes.add(get(1), get(0), [0x85, 0x52, 0x30]);
      return opcodes.add(dictionary(['fc.weight', get(kWeight)])).archive();
    },
    { max: 4096 },
  ),
  'readTorch: names of members of members': asTorch((size) => {
    const opcodes = weightFirst(new Opcodes()).add(
      name('builtins', 'getattr'),
      put(0),
      [0x30],
      name('torch', 'nn'),
      put(1),
      [0x30],
    );
    for (let i = 0; i < size; i++)
      opcodes.add(get(0), get(1), text('x'.repeat(8)), [0x86, 0x52], put(1), [0x30]);
    return opcodes.add(dictionary(['fc.weight', get(kWeight)])).archive();
  }),
  'readTorch: attributes that are set again': asTorch((size) => {
    const opcodes = weightFirst(new Opcodes()).add(name('m', 'M'), [0x29, 0x81]);
    for (let i = 0; i < size; i++) opcodes.add(dictionary([`a${i}`, [0x4b, 1]]), [0x62]);
    return opcodes.add([0x30], dictionary(['fc.weight', get(kWeight)])).archive();
  }),
  'readTorch: items that are appended': asTorch((size) => {
    const opcodes = weightFirst(new Opcodes()).add([0x7d, 0x28], text('other'), [0x5d]);
    for (let i = 0; i < size; i++) opcodes.add([0x4b, 1, 0x61]);
    return opcodes.add(text('fc.weight'), get(kWeight), [0x75]).archive();
  }),
  'readTorch: a deep stack': asTorch((size) => {
    const opcodes = weightFirst(new Opcodes());
    for (let i = 0; i < size; i++) opcodes.add([0x4e]);
    for (let i = 0; i < size; i++) opcodes.add([0x30]);
    return opcodes.add(dictionary(['fc.weight', get(kWeight)])).archive();
  }),
  'readTorch: tuples of memoized values': asTorch((size) => {
    const opcodes = weightFirst(new Opcodes()).add([0x29], put(0), [0x30]);
    for (let i = 0; i < size; i++) opcodes.add(get(0), get(0), [0x86], put(0), [0x30]);
    return opcodes.add(dictionary(['other', get(0)], ['fc.weight', get(kWeight)])).archive();
  }),
  'readTorch: safetensors': asTorch((size, random) => safetensors(size, torchNames(random))),
  'readTorch: long names in safetensors': asTorch((size) =>
    safetensors(4, (i) => `${'a'.repeat(size)}${i}.weight`),
  ),
  'readTorch: many storages': asTorch(
    (size, random) => {
      const nameOf = torchNames(random);
      const opcodes = new Opcodes().add([0x7d, 0x28]);
      const one = (key) =>
        call(
          'torch._utils',
          '_rebuild_tensor_v2',
          [
            ...tuple(
              text('storage'),
              name('torch', 'FloatStorage'),
              text(key),
              text('cpu'),
              integer(1),
            ),
            0x51,
          ],
          integer(0),
          tuple(integer(1)),
          tuple(integer(1)),
          [0x89],
          call('collections', 'OrderedDict'),
        );
      for (let i = 0; i < size; i++) opcodes.add(text(nameOf(i)), one(`${i}`));
      opcodes.add([0x75]);
      const files = Object.fromEntries(range(size, (i) => [`m/data/${i}`, new Uint8Array(4)]));
      return zipSync(
        { 'm/data.pkl': opcodes.pickle(), 'm/version': bytesOf('3\n'), ...files },
        { level: 0 },
      );
    },
    { max: 2 ** 15 },
  ),
};
