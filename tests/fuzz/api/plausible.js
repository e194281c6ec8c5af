// SPDX-License-Identifier: MIT
// Arguments that fit a function, or nearly: from the types of the generated sources, and from a
// table for the rest.
import { readdirSync, readFileSync } from 'node:fs';
import * as mf from '../../../dist/index.js';
import { pick, integer } from '../../support/random.js';
import { anything, customLayer } from './values.js';

const sources = new URL('../../../web/src/', import.meta.url);
const read = (name) => readFileSync(new URL(name, sources), 'utf8');

/** Returns the names of internal members of classes, which programs do not call. */
export function internalNames() {
  const files = readdirSync(sources, { recursive: true }).filter((name) => name.endsWith('.ts'));
  const found = files.flatMap((name) => [
    ...read(name).matchAll(
      /(?:@internal \*\/\s+|protected )(?:(?:protected|override|readonly|abstract|get|static|async) )*(\w+)/g,
    ),
  ]);
  return new Set(found.map(([, name]) => name));
}

/**
 * Parses 'a: x; b?: y' or 'a: x, b: y' into [{ key, type, optional }]. Separators inside brackets
 * do not count.
 */
function fields(text, separator) {
  const parts = [''];
  let depth = 0;
  for (const c of text) {
    if ('{[('.includes(c)) depth++;
    if ('}])'.includes(c)) depth--;
    if (c === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += c;
  }
  return parts.flatMap((part) => {
    const [, key, mark, type] = /^\s*(\w+)(\??): (.*?)(?: = .*)?$/s.exec(part) ?? [];
    return key ? [{ key, type, optional: mark === '?' || part.includes(' = ') }] : [];
  });
}

const operations = new Map(
  [...read('ops/ops.gen.ts').matchAll(/^export function (\w+)\((.*)\): \w/gm)].map(
    ([, name, list]) => [name, fields(list, ',')],
  ),
);
const settings = new Map(
  readdirSync(sources, { recursive: true })
    .filter((name) => /layers\.gen\.ts$/.test(name))
    .flatMap((name) => [
      ...read(name).matchAll(/interface (\w+)Config extends LayerConfig \{\n(.*?)\n?\}\n/gs),
    ])
    .map(([, name, body]) => [name, fields(body.replace(/\/\*\*.*?\*\//gs, ''), ';')]),
);

const shapes = [
  [2, 3, 4],
  [2, 3, 4],
  [2, 3],
  [3],
  [],
  [1, 2],
  [2, 4],
  [2, 1, 4],
  [0, 3],
  [2, 3, 4, 2],
];

/** Returns a tensor, or a value that can be converted to one. */
export function tensorLike(random, made) {
  const shape = pick(random, shapes);
  const kind = random();
  if (kind < 0.1)
    return pick(random, [
      1,
      0.5,
      -2,
      true,
      [1, 2, 3],
      [
        [1, 0, 2],
        [0, 1, 1],
      ],
    ]);
  const size = shape.reduce((a, b) => a * b, 1);
  if (kind < 0.2) return Float32Array.from({ length: size }, random);
  if (kind < 0.27) {
    const symbol = mf.Input({ shape: shape.slice(1).map((dim) => (random() < 0.3 ? null : dim)) });
    made.push(symbol);
    return symbol;
  }
  const dtype = pick(random, ['float32', 'float32', 'float32', 'int32', 'bool']);
  const data = Array.from({ length: size }, () => integer(random, 0, 3));
  let x = mf.tensor(data, { shape, dtype });
  made.push(x);
  if (shape.length > 1 && random() < 0.25) {
    const mask = Uint8Array.from({ length: shape[0] * shape[1] }, () => integer(random, 0, 1));
    x = x.withMask(mask);
    made.push(x);
  }
  return x;
}

const small = [1, 1, 2, 2, 3, 4, 0, -1, 0.5, 8];
const lists = [
  [2, 3],
  [4],
  [-1],
  [1, 2],
  [0],
  [],
  [2, 12],
  [6, 4],
  [0, 0, 0],
  [2, 3, 4],
  [1, 0, 2],
];
const words = [
  'relu',
  'tanh',
  'valid',
  'same',
  'causal',
  'channels_first',
  'concat',
  'sum',
  'linear',
];
const initializers = ['zeros', 'ones', 'glorotUniform', { class_name: 'Ones', config: {} }];

const byType = [
  [/^readonly TensorLike\[\]$/, (r, made) => [tensorLike(r, made), tensorLike(r, made)]],
  [/^TensorLike/, tensorLike],
  [/^Layer\[\]/, (r, made) => [innerLayer(r, made), innerLayer(r, made)]],
  [/^Layer/, (r, made) => innerLayer(r, made)],
  [/^\{/, (r, made, type) => object(r, made, fields(type.replace(/^\{ ?| ?\}$/g, ''), ';'))],
  [/^boolean/, (r) => r() < 0.5],
  [/^DType/, (r) => pick(r, ['float32', 'int32', 'bool'])],
  [/^number\[\]/, (r) => pick(r, lists)],
  [/^number \| (readonly )?[[n]/, (r) => (r() < 0.5 ? pick(r, small) : pick(r, lists))],
  [/^number/, (r) => pick(r, small)],
  [/^InitializerLike/, (r) => pick(r, initializers)],
  [/^ActivationName/, (r) => pick(r, words)],
  [/^string/, (r) => pick(r, [...words, 'ij,jk->ik', 'abc,cd->abd', 'abc->ac', 'float32'])],
  [
    /^SliceKey/,
    (r) => pick(r, [0, -1, [null, '...'], [{ start: 1 }], ['...', { step: -1 }], [0, 1]]),
  ],
];

function ofType(random, made, type) {
  const found = byType.find(([pattern]) => pattern.test(type));
  return found ? found[1](random, made, type) : anything(random, made);
}

function object(random, made, list) {
  const kept = list.filter(({ optional }) => !optional || random() < 0.25);
  return Object.fromEntries(kept.map(({ key, type }) => [key, ofType(random, made, type)]));
}

/** Returns settings for a layer class, which are usually valid. */
export const configOf = (random, made, name) => object(random, made, settings.get(name) ?? []);
export const argumentsOf = (random, made, op) =>
  (operations.get(op) ?? [])
    .filter(({ optional }) => !optional || random() < 0.5)
    .map(({ type }) => ofType(random, made, type));

const cells = ['lstmCell', 'gruCell', 'simpleRNNCell'];
/** Returns a layer for use inside wrappers and models. */
export function innerLayer(random, made) {
  const { layers } = mf;
  const layer = pick(random, [
    () => layers.dense({ units: 2 }),
    () => layers.lstm({ units: 2, returnSequences: true }),
    () => layers.gru({ units: 2 }),
    () => layers[pick(random, cells)]({ units: 2 }),
    () => layers.lambda({ function: (x) => mf.ops.add(x, 1) }),
    () => layers.masking(),
    () => customLayer(random, made),
  ])();
  made.push(layer);
  return layer;
}
