// SPDX-License-Identifier: MIT
// FarmHash's 64-bit fingerprint (Geoff Pike, 2014). TensorFlow distributes unknown strings over
// several indices by it, so a model trained there has learned something about each index.
import { encodeUtf8 } from '../engine/utf8.js';

const kMask = 0xffffffffffffffffn;
const k0 = 0xc3a5c85c97cb3127n;
const k1 = 0xb492b66fbe98f273n;
const k2 = 0x9ae16a3b2f90404fn;

const u64 = (x: bigint): bigint => x & kMask;
const rotate = (x: bigint, by: bigint): bigint => {
  const y = u64(x);
  return u64((y >> by) | (y << (64n - by)));
};
const shiftMix = (x: bigint): bigint => x ^ (x >> 47n);

function mix(u: bigint, v: bigint, factor: bigint): bigint {
  const a = shiftMix(u64(u64(u ^ v) * factor));
  return u64(shiftMix(u64(u64(v ^ a) * factor)) * factor);
}

class Bytes {
  readonly #view: DataView;
  constructor(readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get length(): number {
    return this.bytes.length;
  }
  /** Eight bytes at an offset; a negative one counts from the end. */
  at(offset: number): bigint {
    return this.#view.getBigUint64(offset < 0 ? this.length + offset : offset, true);
  }
  /** Four bytes at an offset. */
  half(offset: number): bigint {
    return BigInt(this.#view.getUint32(offset < 0 ? this.length + offset : offset, true));
  }
}

function upTo16(s: Bytes): bigint {
  const { bytes, length } = s;
  const factor = k2 + BigInt(2 * length);
  if (length >= 8) {
    const a = u64(s.at(0) + k2);
    const b = s.at(-8);
    return mix(u64(rotate(b, 37n) * factor + a), u64((rotate(a, 25n) + b) * factor), factor);
  }
  if (length >= 4) return mix(BigInt(length) + (s.half(0) << 3n), s.half(-4), factor);
  if (length === 0) return k2;
  const y = BigInt((bytes[0] as number) + ((bytes[length >> 1] as number) << 8));
  const z = BigInt(length + ((bytes[length - 1] as number) << 2));
  return u64(shiftMix(u64(y * k2) ^ u64(z * k0)) * k2);
}

function upTo64(s: Bytes): bigint {
  const factor = k2 + BigInt(2 * s.length);
  const long = s.length > 32;
  const a = u64(s.at(0) * (long ? k2 : k1));
  const b = s.at(8);
  const c = u64(s.at(-8) * factor);
  const y = u64(rotate(a + b, 43n) + rotate(c, 30n) + u64(s.at(-16) * k2));
  const z = mix(y, u64(a + rotate(b + k2, 18n) + c), factor);
  if (!long) return z;
  const e = u64(s.at(16) * factor);
  const f = s.at(24);
  const g = u64((y + s.at(-32)) * factor);
  const h = u64((z + s.at(-24)) * factor);
  return mix(u64(rotate(e + f, 43n) + rotate(g, 30n) + h), u64(e + rotate(f + a, 18n) + g), factor);
}

type Pair = [bigint, bigint];

function absorb(s: Bytes, at: number, seed: bigint, other: bigint): Pair {
  const last = s.at(at + 24);
  const first = seed + s.at(at);
  const sum = first + s.at(at + 8) + s.at(at + 16);
  return [u64(sum + last), u64(rotate(other + first + last, 21n) + rotate(sum, 44n) + first)];
}

/** State of the hash, which absorbs blocks of 64 bytes. */
class State {
  x = 81n;
  y = u64(81n * k1 + 113n);
  z = u64(shiftMix(u64(this.y * k2 + 113n)) * k2);
  v: Pair = [0n, 0n];
  w: Pair = [0n, 0n];

  /** Absorbs a block. `scale` is 9 for the last block, otherwise 1. */
  block(s: Bytes, at: number, factor: bigint, scale: bigint): void {
    const x = u64(rotate(this.x + this.y + this.v[0] + s.at(at + 8), 37n) * factor);
    const y = u64(rotate(this.y + this.v[1] + s.at(at + 48), 42n) * factor);
    const z = u64(rotate(this.z + this.w[0], 33n) * factor);
    this.x = z;
    this.y = u64(y + this.v[0] * scale + s.at(at + 40));
    this.z = u64(x ^ u64(this.w[1] * scale));
    this.v = absorb(s, at, this.v[1] * factor, this.z + this.w[0]);
    this.w = absorb(s, at + 32, z + this.w[1], this.y + s.at(at + 16));
  }
}

function long(s: Bytes): bigint {
  const state = new State();
  state.x = u64(state.x * k2 + s.at(0));
  const blocks = Math.floor((s.length - 1) / 64);
  for (let i = 0; i < blocks; i++) state.block(s, 64 * i, k1, 1n);
  const factor = u64(k1 + ((state.z & 0xffn) << 1n));
  const { v, w } = state;
  w[0] = u64(w[0] + BigInt((s.length - 1) & 63));
  v[0] = u64(v[0] + w[0]);
  w[0] = u64(w[0] + v[0]);
  state.block(s, s.length - 64, factor, 9n);
  const first = mix(state.v[0], state.w[0], factor) + shiftMix(state.y) * k0 + state.z;
  const second = mix(state.v[1], state.w[1], factor) + state.x;
  return mix(u64(first), u64(second), factor);
}

/** Returns the fingerprint of the text's UTF-8 bytes. */
export function fingerprint64(text: string): bigint {
  const s = new Bytes(encodeUtf8(text));
  if (s.length <= 16) return upTo16(s);
  return s.length <= 64 ? upTo64(s) : long(s);
}
