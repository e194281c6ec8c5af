// SPDX-License-Identifier: MIT
// Damage of every kind, chosen by a random generator.
import { pick, whole } from '../support/random.js';

const words = [
  0n,
  1n,
  2n,
  255n,
  0xffffn,
  0x7fffffffn,
  0xffffffffn,
  1n << 40n,
  1n << 53n,
  (1n << 63n) - 1n,
  (1n << 64n) - 1n,
];

/** What may happen to bytes; each changes its own copy or returns another. */
const byteMutations = [
  function flip(bytes, random) {
    for (let n = whole(random, 1, 8); n > 0; n--) {
      bytes[whole(random, 0, bytes.length - 1)] ^= 1 << whole(random, 0, 7);
    }
    return bytes;
  },
  function setBytes(bytes, random) {
    for (let n = whole(random, 1, 4); n > 0; n--) {
      bytes[whole(random, 0, bytes.length - 1)] = pick(random, [0, 1, 127, 128, 255]);
    }
    return bytes;
  },
  function cut(bytes, random) {
    return bytes.slice(0, whole(random, 0, bytes.length));
  },
  function word(bytes, random) {
    const size = pick(random, [2, 4, 8]);
    if (bytes.length < size) return bytes;
    const at = whole(random, 0, Math.floor((bytes.length - size) / size)) * size;
    const own = [BigInt(at), BigInt(bytes.length), BigInt(bytes.length - at), ...words];
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const value = BigInt.asUintN(8 * size, pick(random, own));
    for (let i = 0; i < size; i++) view.setUint8(at + i, Number((value >> BigInt(8 * i)) & 255n));
    return bytes;
  },
  function splice(bytes, random) {
    const size = whole(random, 1, Math.min(256, bytes.length));
    const from = whole(random, 0, bytes.length - size);
    bytes.copyWithin(whole(random, 0, bytes.length - size), from, from + size);
    return bytes;
  },
  function remove(bytes, random) {
    const at = whole(random, 0, bytes.length);
    const size = whole(random, 1, 64);
    return Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + size)]);
  },
  function insert(bytes, random) {
    const at = whole(random, 0, bytes.length);
    const added = Array.from({ length: whole(random, 1, 64) }, () => whole(random, 0, 255));
    return Uint8Array.from([...bytes.subarray(0, at), ...added, ...bytes.subarray(at)]);
  },
];

/** Bytes damaged in one to three ways; half the time near the beginning, where structure lies. */
export function mutateBytes(original, random) {
  let bytes = original.slice();
  for (let n = pick(random, [1, 1, 1, 2, 3]); n > 0 && bytes.length > 0; n--) {
    const mutation = pick(random, byteMutations);
    const near = random() < 0.5 && bytes.length > 4096;
    if (!near) {
      bytes = mutation(bytes, random);
      continue;
    }
    const head = mutation(bytes.slice(0, 4096), random);
    // A cut head cuts the file.
    bytes = mutation.name === 'cut' ? head : Uint8Array.from([...head, ...bytes.subarray(4096)]);
  }
  return bytes;
}

const values = [
  null,
  true,
  false,
  -1,
  0,
  1,
  3,
  0.5,
  1e9,
  2 ** 31,
  2 ** 53,
  1e308,
  '',
  'x',
  'relu',
  'keras.layers',
  [],
  {},
  [null],
  [null, null, 4],
  [[0]],
  'a'.repeat(100_000),
  'Lambda',
  { class_name: 'LSTM', config: {} },
];
const classNames = [
  'LSTM',
  'GRU',
  'Dense',
  'Embedding',
  'Bidirectional',
  'TimeDistributed',
  'Functional',
  'Sequential',
  'InputLayer',
  'Lambda',
  'RNN',
  'MultiHeadAttention',
  'Conv1D',
  'Reshape',
  'RepeatVector',
  'Masking',
  'NoSuchLayer',
  'BatchNormalization',
  'NotEqual',
  'Flatten',
  'Attention',
];

/** Every place in a JSON value: its container and key. */
function places(value, found = []) {
  if (typeof value !== 'object' || value === null) return found;
  for (const key of Object.keys(value)) {
    found.push([value, key]);
    places(value[key], found);
  }
  return found;
}

function nested(depth) {
  let value = 1;
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { config: value };
  return value;
}

/** A configuration changed at one to three places, still JSON. */
export function mutateJson(original, random) {
  const json = JSON.parse(new TextDecoder().decode(original));
  for (let n = pick(random, [1, 1, 2, 3]); n > 0; n--) {
    const all = places(json);
    if (all.length === 0) break;
    const [container, key] = pick(random, all);
    const [other, otherKey] = pick(random, all);
    pick(random, [
      () => (Array.isArray(container) ? container.splice(Number(key), 1) : delete container[key]),
      () => (container[key] = pick(random, values)),
      () => (container[key] = structuredClone(other[otherKey])),
      () => (container[key] = nested(pick(random, [3, 120, 400, 3000]))),
      () =>
        (container[pick(random, ['units', 'activation', '__proto__', 'extra', 'mask'])] = pick(
          random,
          values,
        )),
      () => Array.isArray(container) && container.push(structuredClone(container[key])),
      () => {
        const sizes = all.filter(([holder, name]) => typeof holder[name] === 'number');
        if (sizes.length === 0) return;
        const [holder, name] = pick(random, sizes);
        holder[name] *= pick(random, [-1, 0.5, 2, 1e3, 1e6, 1e9]);
      },
      () => {
        const named = all.filter(([, name]) => name === 'class_name');
        if (named.length > 0) pick(random, named)[0].class_name = pick(random, classNames);
      },
      () => {
        const named = all.filter(
          ([holder, name]) => name === 'name' && typeof holder[name] === 'string',
        );
        if (named.length > 1) pick(random, named)[0].name = pick(random, named)[0].name;
      },
    ])();
  }
  return new TextEncoder().encode(JSON.stringify(json));
}
