// SPDX-License-Identifier: MIT
// A case of the fuzzer: reads a damaged or a grown pickle, and uses what it holds.
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as mf from '../../dist/train.js';
import { readPickle } from '../../dist/text.js';
import { generator, integer } from '../support/random.js';
import { mutateBytes, pick } from './mutate.js';
import { mutateOpcodes } from './pickle_damage.js';

const folder = new URL('../fixtures/beside_models/', import.meta.url);
const read = (name) => readFileSync(new URL(name, folder));
const linesOf = (name) =>
  String(gunzipSync(read(name)))
    .trim()
    .split('\n')
    .map(JSON.parse);
const files = [
  ...Object.values(JSON.parse(read('pickles.json'))).flat(),
  ...linesOf('tokenizers.jsonl.gz').map(({ pickle }) => pickle),
  ...linesOf('sklearn.jsonl.gz').map(({ file }) => file),
].map((text) => new Uint8Array(Buffer.from(text, 'base64')));
const models = readdirSync(new URL('models/', folder)).map(
  (name) => new Uint8Array(read(`models/${name}`)),
);

const bytes = (text) => [...Buffer.from(text, 'latin1')];
const global = (name) => bytes(`c${name}\n`);
const text = (value) => [0x58, value.length & 255, value.length >> 8, 0, 0, ...bytes(value)];

/** Pickles that grow by doubling, with a few bytes for each step. */
const growing = [
  // Lists with the list before twice.
  (n) => [
    0x5d,
    ...Array.from({ length: n }, (_, i) => [
      113,
      i % 256,
      0x30,
      0x5d,
      104,
      i % 256,
      97,
      104,
      i % 256,
      97,
    ]).flat(),
  ],
  // Nested lists.
  (n) => [...Array(n).fill(0x5d), ...Array(n - 1).fill(97)],
  // Many encodings of equal bytes.
  (n) => [
    ...[0x5d, ...text('x'.repeat(Math.min(n * 16, 60_000))), 113, 0, 0x30],
    ...Array.from({ length: n }, () => [
      ...global('_codecs\nencode'),
      104,
      0,
      ...text('latin1'),
      0x86,
      0x52,
      97,
    ]).flat(),
  ],
  // A dictionary copied many times.
  (n) => [
    ...[
      0x5d,
      0x7d,
      0x28,
      ...Array.from({ length: n }, (_, i) => [0x4d, i & 255, i >> 8, 0x4e]).flat(),
    ],
    ...[0x75, 113, 0, 0x30],
    ...Array.from({ length: n }, () => [
      ...global('collections\nOrderedDict'),
      104,
      0,
      0x85,
      0x52,
      97,
    ]).flat(),
  ],
  // A dictionary set as the state of many objects.
  (n) => [
    ...[0x5d, 0x7d, 0x28, ...Array.from({ length: n }, (_, i) => [...text(`k${i}`), 0x4e]).flat()],
    ...[0x75, 113, 0, 0x30],
    ...Array.from({ length: n }, () => [...global('a\nB'), 0x29, 0x81, 104, 0, 98, 97]).flat(),
  ],
  // A chain of attributes.
  (n) => [
    ...global('a\nb'),
    ...Array.from({ length: n }, () => [
      113,
      0,
      0x30,
      ...global('builtins\ngetattr'),
      104,
      0,
      ...text('c'),
      0x86,
      0x52,
    ]).flat(),
  ],
  // Arrays that share their bytes.
  (n) => [
    ...[0x5d, 0x43, 128, ...Array(128).fill(65), 113, 0, 0x30],
    ...[...global('numpy\ndtype'), ...text(n % 2 ? 'U1' : 'f8'), 0x85, 0x52, 113, 1, 0x30],
    ...Array.from({ length: n }, () => [
      ...[
        ...global('numpy.core.numeric\n_frombuffer'),
        0x28,
        104,
        0,
        104,
        1,
        0x4b,
        n % 2 ? 32 : 16,
        0x85,
        ...text('C'),
      ],
      ...[0x74, 0x52, 97],
    ]).flat(),
  ],
  // An array of lists with axes of any length, one of them 0.
  (n) => [
    ...[
      ...global('numpy.core.numeric\n_frombuffer'),
      0x28,
      0x43,
      0,
      ...global('numpy\ndtype'),
      ...text('U1'),
      0x85,
      0x52,
    ],
    ...[0x4a, n & 255, 255, 255, 63, 0x4b, 0, 0x86, ...text('C'), 0x74, 0x52],
  ],
];

function grown(random) {
  const n = 2 ** integer(random, 0, 10) + integer(random, 0, 3);
  return Uint8Array.from([0x80, 2, ...pick(random, growing)(n), 0x2e]);
}

function damaged(random) {
  const source = pick(random, files);
  return (random() < 0.3 || source[0] !== 0x80 ? mutateBytes : mutateOpcodes)(
    new Uint8Array(source),
    random,
  );
}

const isTyped = (error) => error instanceof mf.MaskflowError;

async function attempt(run) {
  try {
    return await run();
  } catch (error) {
    if (!isTyped(error)) throw error;
    return error;
  }
}

/** Disposes of the tensors in plain data. Returns how many there are. */
function dispose(value, seen = new Set()) {
  if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
  seen.add(value);
  if (value instanceof mf.Tensor) {
    value.dispose();
    return 1;
  }
  if (ArrayBuffer.isView(value)) return 0;
  const parts = value instanceof Map ? [...value].flat() : Object.values(value);
  return parts.reduce((count, part) => count + dispose(part, seen), 0);
}

/** Uses an object of a class with a meaning. */
async function use(value) {
  const { className, columns, classes } = value ?? {};
  if (className === 'Tokenizer') {
    await attempt(() => value.textsToSequences(['the film 2007', ['a', 'b']]));
    await attempt(() => value.sequencesToTexts([[0, 1, 2, 1e9]]));
    await attempt(() => value.toJSON());
  } else if (className === 'LabelEncoder') {
    await attempt(() => value.transform(classes));
    await attempt(() => value.inverseTransform([0, 1]));
  } else if (columns > 0 && columns < 1e6) {
    await attempt(() => value.transform([Array(columns).fill(1)]));
    await attempt(() => value.inverseTransform([Array(columns).fill(1)]));
  }
}

const limits = { bytes: 2 ** 27, text: 2 ** 24, nodes: 200_000, milliseconds: 1500 };

export async function runCase(number) {
  const random = generator(number * 7919 + 5);
  const { tensors } = mf.memory();
  const prototype = Object.getOwnPropertyNames(Object.prototype).length;
  if (random() < 0.1) {
    const result = await attempt(() =>
      mf.loadModel(mutateOpcodes(pick(random, models), random), { limits }),
    );
    if (!isTyped(result)) result.dispose();
    return { outcome: isTyped(result) ? result.name : 'model' };
  }
  const input = random() < 0.3 ? grown(random) : damaged(random);
  const value = await attempt(() => readPickle(input, { limits }));
  if (isTyped(value)) return check(value.name, tensors, prototype);
  await use(value);
  const count = dispose(value);
  return check(count > 0 ? 'tensors' : 'values', tensors, prototype);
}

function check(outcome, tensors, prototype) {
  if (mf.memory().tensors !== tensors)
    throw new Error(`${mf.memory().tensors - tensors} tensors remain`);
  if (Object.getOwnPropertyNames(Object.prototype).length !== prototype) {
    throw new Error('Object.prototype has changed');
  }
  return { outcome };
}
