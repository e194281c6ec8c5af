// SPDX-License-Identifier: MIT
import type { TypedArray } from '../../base/nested.js';
import { fromHalves } from './half.js';
import type { Datatype } from './datatype.js';

const direct = {
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  uint8: Uint8Array,
  bool: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
};

/** Kinds whose bytes are turned into another array, element by element. */
const converted: Record<string, (bytes: ArrayBuffer) => TypedArray> = {
  float16: (bytes) => fromHalves(new Uint16Array(bytes)),
  bfloat16: (bytes) =>
    new Float32Array(Uint32Array.from(new Uint16Array(bytes), (x) => x << 16).buffer),
  int64: (bytes) => Float64Array.from(new BigInt64Array(bytes), Number),
  uint64: (bytes) => Float64Array.from(new BigUint64Array(bytes), Number),
};

/** Can elements of this kind be numbers in an array? */
export function isNumeric({ kind, size }: Datatype): boolean {
  if (Object.hasOwn(converted, kind)) return true;
  const Class = direct[kind as keyof typeof direct];
  return Class !== undefined && Class.BYTES_PER_ELEMENT === size;
}

/** The elements in `bytes`. Where they lie as they are needed, the array is a view of them. */
export function decode(bytes: Uint8Array, type: Datatype): TypedArray {
  const Class = direct[type.kind as keyof typeof direct];
  const inPlace = Class && !type.bigEndian && bytes.byteOffset % type.size === 0;
  if (inPlace) {
    return new Class(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length / type.size);
  }
  // Not slice(): that of a Buffer copies nothing.
  const own = new Uint8Array(bytes);
  if (type.bigEndian) swap(own, type.size);
  const convert = converted[type.kind];
  return convert ? convert(own.buffer) : new (Class as typeof Uint8Array)(own.buffer);
}

/** Elements that are converted at once, on their way to where they are wanted. */
const kPiece = 2 ** 16;

/** The elements in `bytes` as floats, in an array that is there. */
export function decodeInto(floats: Float32Array, bytes: Uint8Array, type: Datatype): void {
  if (type.kind === 'float32' && !type.bigEndian) {
    // As bytes: they may lie anywhere in the file, where an array of floats cannot begin.
    new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength).set(bytes);
    return;
  }
  for (let at = 0; at < floats.length; at += kPiece) {
    const piece = bytes.subarray(at * type.size, (at + kPiece) * type.size);
    floats.set(decode(piece, type), at);
  }
}

function swap(bytes: Uint8Array, size: number): void {
  for (let at = 0; at + size <= bytes.length; at += size) bytes.subarray(at, at + size).reverse();
}
