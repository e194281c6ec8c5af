// SPDX-License-Identifier: MIT
// Damages bytes in random ways.
import { pick, integer } from '../support/random.js';

export { pick };

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

/** Kinds of damage. Each changes the bytes in place or returns new ones. */
const byteMutations = [
  function flip(bytes, random) {
    for (let n = integer(random, 1, 8); n > 0; n--) {
      bytes[integer(random, 0, bytes.length - 1)] ^= 1 << integer(random, 0, 7);
    }
    return bytes;
  },
  function setBytes(bytes, random) {
    for (let n = integer(random, 1, 4); n > 0; n--) {
      bytes[integer(random, 0, bytes.length - 1)] = pick(random, [0, 1, 127, 128, 255]);
    }
    return bytes;
  },
  function cut(bytes, random) {
    return bytes.slice(0, integer(random, 0, bytes.length));
  },
  function word(bytes, random) {
    const size = pick(random, [2, 4, 8]);
    if (bytes.length < size) return bytes;
    const at = integer(random, 0, Math.floor((bytes.length - size) / size)) * size;
    const values = [BigInt(at), BigInt(bytes.length), BigInt(bytes.length - at), ...words];
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const value = BigInt.asUintN(8 * size, pick(random, values));
    for (let i = 0; i < size; i++) view.setUint8(at + i, Number((value >> BigInt(8 * i)) & 255n));
    return bytes;
  },
  function splice(bytes, random) {
    const size = integer(random, 1, Math.min(256, bytes.length));
    const from = integer(random, 0, bytes.length - size);
    bytes.copyWithin(integer(random, 0, bytes.length - size), from, from + size);
    return bytes;
  },
  function remove(bytes, random) {
    const at = integer(random, 0, bytes.length);
    const size = integer(random, 1, 64);
    return Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + size)]);
  },
  function insert(bytes, random) {
    const at = integer(random, 0, bytes.length);
    const added = Array.from({ length: integer(random, 1, 64) }, () => integer(random, 0, 255));
    return Uint8Array.from([...bytes.subarray(0, at), ...added, ...bytes.subarray(at)]);
  },
];

/** Returns bytes with one to three mutations, half of them near the start, which has structure. */
export function mutateBytes(original, random) {
  let bytes = original.slice();
  for (let n = pick(random, [1, 1, 1, 2, 3]); n > 0 && bytes.length > 0; n--) {
    const mutation = pick(random, byteMutations);
    const isNearStart = random() < 0.5 && bytes.length > 4096;
    if (!isNearStart) {
      bytes = mutation(bytes, random);
      continue;
    }
    const head = mutation(bytes.slice(0, 4096), random);
    // A cut removes everything after the head, so the rest is not appended.
    bytes = mutation.name === 'cut' ? head : Uint8Array.from([...head, ...bytes.subarray(4096)]);
  }
  return bytes;
}
