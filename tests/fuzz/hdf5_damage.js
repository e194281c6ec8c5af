// SPDX-License-Identifier: MIT
// Damages the structure of an HDF5 file: wrong or circular addresses, counts, sizes, messages, heap
// ids.
import { integer } from '../support/random.js';
import { pick } from './mutate.js';

const signatures = 'TREE SNOD HEAP GCOL OHDR OCHK FRHP FHIB FHDB BTHD BTLF BTIN'.split(' ');
const codes = new Set(
  signatures.map((name) => [...name].reduceRight((code, c) => code * 256 + c.charCodeAt(0), 0)),
);

/**
 * Returns the offsets of blocks with a signature, of object headers, and of the addresses of both.
 */
function structureOf(view) {
  const blocks = [];
  for (let at = 0; at + 4 <= view.byteLength; at++) {
    if (codes.has(view.getUint32(at, true))) blocks.push(at);
  }
  const known = new Set(blocks);
  const headers = [];
  const pointers = [];
  for (let at = 8; at + 8 <= view.byteLength; at += 1) {
    if (view.getUint32(at + 4, true) !== 0) continue;
    const to = view.getUint32(at, true);
    if (to < 48 || to + 16 > view.byteLength) continue;
    const isHeader = view.getUint8(to) === 1 && view.getUint8(to + 1) === 0 && to % 8 === 0;
    if (known.has(to)) pointers.push(at);
    else if (at % 8 === 0 && isHeader) {
      pointers.push(at);
      headers.push(to);
    }
  }
  return { blocks, headers, pointers };
}

const structures = new WeakMap();
function structureOnce(original) {
  if (!structures.has(original)) {
    const { buffer, byteOffset, byteLength } = original;
    structures.set(original, structureOf(new DataView(buffer, byteOffset, byteLength)));
  }
  return structures.get(original);
}

const counts = [0, 1, 2, 255, 0x7fff, 0xffff];
const lengths = [
  0n,
  1n,
  7n,
  8n,
  4096n,
  0xffffn,
  0x7fffffffn,
  0xffffffffn,
  1n << 40n,
  (1n << 64n) - 1n,
];

const setLong = (view, at, value) => {
  if (at >= 0 && at + 8 <= view.byteLength) view.setBigUint64(at, BigInt.asUintN(64, value), true);
};
const setShort = (view, at, value) => {
  if (at >= 0 && at + 2 <= view.byteLength) view.setUint16(at, value, true);
};

const mutations = [
  function elsewhere(view, { pointers, blocks, headers }, random) {
    setLong(view, pick(random, pointers), BigInt(pick(random, [...blocks, ...headers])));
  },
  function circle(view, { pointers }, random) {
    const at = pick(random, pointers);
    setLong(view, at, view.getBigUint64(pick(random, pointers), true));
  },
  function nowhere(view, { pointers }, random) {
    setLong(view, pick(random, pointers), pick(random, [...lengths, BigInt(view.byteLength)]));
  },
  function count(view, { blocks }, random) {
    setShort(view, pick(random, blocks) + pick(random, [4, 5, 6, 8, 10]), pick(random, counts));
  },
  function size(view, { blocks }, random) {
    setLong(view, pick(random, blocks) + integer(random, 4, 40), pick(random, lengths));
  },
  // Damages the type, the size, the flags or the body of a message.
  function message(view, { headers }, random) {
    if (headers.length === 0) return;
    let at = pick(random, headers) + 16;
    for (let n = integer(random, 0, 6); n > 0 && at + 8 < view.byteLength; n--) {
      at += 8 + view.getUint16(at + 2, true);
    }
    const body = integer(random, 0, 32);
    pick(random, [
      () => setShort(view, at, pick(random, [0, 1, 2, 3, 6, 8, 11, 12, 16, 17, 21])),
      () => setShort(view, at + 2, pick(random, counts)),
      () => setShort(view, at + 8 + body, pick(random, counts)),
      () => setLong(view, at + 8 + body, pick(random, lengths)),
    ])();
  },
  function headerCount(view, { headers }, random) {
    if (headers.length > 0) setShort(view, pick(random, headers) + 2, pick(random, counts));
  },
  // Makes several addresses point to one object, so that arrays and groups overlap.
  function shared(view, { pointers }, random) {
    const value = view.getBigUint64(pick(random, pointers), true);
    for (let n = integer(random, 1, 8); n > 0; n--) setLong(view, pick(random, pointers), value);
  },
];

/** Returns a copy with one to three kinds of damage. */
export function mutateHdf5(original, random) {
  const structure = structureOnce(original);
  const bytes = original.slice();
  if (structure.pointers.length === 0 || structure.blocks.length === 0) return bytes;
  const view = new DataView(bytes.buffer);
  for (let n = pick(random, [1, 1, 2, 3]); n > 0; n--) {
    pick(random, mutations)(view, structure, random);
  }
  return bytes;
}
