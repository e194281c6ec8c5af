// SPDX-License-Identifier: MIT
// Weights in TF.js's shards: plain, or quantized to 8 or 16 bits.
import { FormatError, UnsupportedError } from '../../base/errors.js';
import type { TypedArray } from '../../base/nested.js';
import { isRecord, type Json, lookUp, textOf } from '../json.js';
import { fromHalves } from '../hdf5/half.js';

const kBytes: { [dtype: string]: number } = {
  float32: 4,
  int32: 4,
  bool: 1,
  uint8: 1,
  uint16: 2,
  float16: 2,
};

const quantizationOf = (spec: Json): Json | null =>
  isRecord(spec['quantization']) ? spec['quantization'] : null;

const storedDtype = (spec: Json): string =>
  textOf(quantizationOf(spec)?.['dtype']) || dtypeOf(spec);

/** Type of the weight in the model. */
export const dtypeOf = (spec: Json): string => textOf(spec['dtype']) || 'float32';

/** Returns whether the weight is stored as float32. */
export const isFloat32 = (spec: Json): boolean => storedDtype(spec) === 'float32';

/** Number of bytes of a stored element. Throws UnsupportedError for strings and complex numbers. */
export function bytesPerElement(spec: Json): number {
  const bytes = lookUp(kBytes, storedDtype(spec));
  if (bytes !== undefined) return bytes;
  throw new UnsupportedError(
    `weight '${textOf(spec['name'])}' is stored as ${storedDtype(spec)}, but only ${Object.keys(kBytes).join(', ')} can be read`,
  );
}

/** Decodes the elements. A quantized integer q stands for q * scale + min. */
export function decodeWeight(spec: Json, bytes: Uint8Array): TypedArray {
  const { buffer, byteOffset } = aligned(bytes);
  const count = bytes.byteLength / bytesPerElement(spec);
  switch (storedDtype(spec)) {
    case 'float32':
      return new Float32Array(buffer, byteOffset, count);
    case 'int32':
      return new Int32Array(buffer, byteOffset, count);
    case 'float16':
      return fromHalves(new Uint16Array(buffer, byteOffset, count));
    case 'uint16':
      return dequantize(spec, new Uint16Array(buffer, byteOffset, count));
    case 'uint8':
      return dequantize(spec, new Uint8Array(buffer, byteOffset, count));
    default:
      return new Uint8Array(buffer, byteOffset, count);
  }
}

const aligned = (bytes: Uint8Array): Uint8Array =>
  bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();

function dequantize(spec: Json, integers: Uint8Array | Uint16Array): TypedArray {
  const quantization = quantizationOf(spec);
  if (!quantization) return integers;
  const { scale, min } = quantization;
  if (typeof scale !== 'number' || typeof min !== 'number') {
    throw new FormatError(
      `the quantized weight '${textOf(spec['name'])}' needs scale and min, which are numbers`,
    );
  }
  const values = new Float32Array(integers.length);
  for (let i = 0; i < values.length; i++) values[i] = (integers[i] as number) * scale + min;
  return dtypeOf(spec) === 'int32' ? Int32Array.from(values, Math.round) : values;
}
