// SPDX-License-Identifier: MIT
// SipHash-2-4 (Aumasson and Bernstein, 2012), the keyed hash of TensorFlow.
import { encodeUtf8 } from '../engine/utf8.js';

const u64 = (x: bigint): bigint => BigInt.asUintN(64, x);
const rotate = (x: bigint, by: bigint): bigint => u64((x << by) | (x >> (64n - by)));

type State = [bigint, bigint, bigint, bigint];

function mixRounds([a, b, c, d]: State, count: number): State {
  let state: State = [a, b, c, d];
  for (let i = 0; i < count; i++) {
    let [v0, v1, v2, v3] = state;
    v0 = u64(v0 + v1);
    v2 = u64(v2 + v3);
    v1 = rotate(v1, 13n) ^ v0;
    v3 = rotate(v3, 16n) ^ v2;
    v0 = u64(rotate(v0, 32n) + v3);
    v2 = u64(v2 + v1);
    v1 = rotate(v1, 17n) ^ v2;
    v3 = rotate(v3, 21n) ^ v0;
    v2 = rotate(v2, 32n);
    state = [v0, v1, v2, v3];
  }
  return state;
}

/** Returns the 64-bit hash of the text's UTF-8 bytes under a key of two 64-bit integers. */
export function sipHash64(text: string, key: readonly [bigint, bigint]): bigint {
  const bytes = encodeUtf8(text);
  // The last word holds the remaining bytes and the length modulo 256.
  const padded = new Uint8Array((Math.floor(bytes.length / 8) + 1) * 8);
  padded.set(bytes);
  padded[padded.length - 1] = bytes.length;
  const words = new DataView(padded.buffer);
  const [k0, k1] = [u64(key[0]), u64(key[1])];
  let state: State = [
    k0 ^ 0x736f6d6570736575n,
    k1 ^ 0x646f72616e646f6dn,
    k0 ^ 0x6c7967656e657261n,
    k1 ^ 0x7465646279746573n,
  ];
  for (let offset = 0; offset < padded.length; offset += 8) {
    const word = words.getBigUint64(offset, true);
    state[3] ^= word;
    state = mixRounds(state, 2);
    state[0] ^= word;
  }
  state[2] ^= 0xffn;
  const [v0, v1, v2, v3] = mixRounds(state, 4);
  return v0 ^ v1 ^ v2 ^ v3;
}
