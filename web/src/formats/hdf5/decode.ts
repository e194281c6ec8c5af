// SPDX-License-Identifier: MIT
// Bytes of elements as typed arrays, for HDF5 and also for NumPy, pickles and PyTorch.
import type { TypedArray } from '../../base/nested.js';
import { fromHalves } from './half.js';
import type { Datatype } from './datatype.js';

/** Typed arrays of the kinds that need no conversion. */
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

/** Conversions of the other numeric kinds. */
const conversions: Record<string, (bytes: ArrayBuffer) => TypedArray> = {
  float16: (bytes) => fromHalves(new Uint16Array(bytes)),
  bfloat16: (bytes) =>
    new Float32Array(Uint32Array.from(new Uint16Array(bytes), (x) => x << 16).buffer),
  int64: (bytes) => Float64Array.from(new BigInt64Array(bytes), Number),
  uint64: (bytes) => Float64Array.from(new BigUint64Array(bytes), Number),
};

/** Returns whether elements of this type are numbers that can be read. */
export function isNumeric({ kind, size }: Datatype): boolean {
  if (Object.hasOwn(conversions, kind)) return true;
  const Class = direct[kind as keyof typeof direct];
  return Class !== undefined && Class.BYTES_PER_ELEMENT === size;
}

/** Decodes the elements in `bytes`; returns a view of them if no conversion is needed. */
export function decode(bytes: Uint8Array, type: Datatype): TypedArray {
  const Class = direct[type.kind as keyof typeof direct];
  const isView = Class && !type.bigEndian && bytes.byteOffset % type.size === 0;
  if (isView) {
    return new Class(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length / type.size);
  }
  // Copied by the constructor: slice() of a Node Buffer does not copy.
  const copy = new Uint8Array(bytes);
  if (type.bigEndian) swapBytes(copy, type.size);
  const convert = conversions[type.kind];
  return convert ? convert(copy.buffer) : new (Class as typeof Uint8Array)(copy.buffer);
}

/** Number of elements that are converted at a time. */
const kPiece = 2 ** 16;

/** Decodes the elements in `bytes` into `floats`. */
export function decodeInto(floats: Float32Array, bytes: Uint8Array, type: Datatype): void {
  if (type.kind === 'float32' && !type.bigEndian) {
    // Copied as bytes: the address in the file may not be aligned for floats.
    new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength).set(bytes);
    return;
  }
  for (let at = 0; at < floats.length; at += kPiece) {
    const piece = bytes.subarray(at * type.size, (at + kPiece) * type.size);
    floats.set(decode(piece, type), at);
  }
}

function swapBytes(bytes: Uint8Array, size: number): void {
  for (let at = 0; at + size <= bytes.length; at += size) bytes.subarray(at, at + size).reverse();
}
