// SPDX-License-Identifier: MIT
import { elementCount } from '../../base/array.js';
import { FormatError } from '../../base/errors.js';
import type { TypedArray } from '../../base/nested.js';
import type { Budget } from '../open/budget.js';
import { readLiteral } from './npy_header.js';
import { elementType } from './dtypes.js';

/** An array of NumPy, row by row. */
export interface NumpyArray {
  shape: number[];
  /** NumPy's name: float32, float64, float16, bool, int8 … int64, uint8 … uint64. */
  dtype: string;
  /** float16 as Float32Array, bool as Uint8Array, 64-bit integers as Float64Array. */
  data: TypedArray;
}

const kMagic = '\x93NUMPY';
const kLongestHeader = 65536;

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** Does a file begin as `np.save` begins it? */
export const isNpy = (bytes: Uint8Array): boolean => latin1(bytes.subarray(0, 6)) === kMagic;

interface Header {
  descr: string;
  fortran: boolean;
  shape: number[];
  start: number;
}

/** The header is a Python dictionary, of which NumPy writes exactly three keys. */
function readHeader(bytes: Uint8Array, what: string): Header {
  if (!isNpy(bytes)) throw new FormatError(`${what} is no .npy file: it begins with other bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wide = (bytes[6] ?? 1) > 1;
  const start = wide ? 12 : 10;
  if (bytes.length < start) throw new FormatError(`${what} ends within its header`);
  const length = wide ? view.getUint32(8, true) : view.getUint16(8, true);
  if (length > kLongestHeader || start + length > bytes.length) {
    throw new FormatError(
      `the header of ${what} says ${length} bytes, but ${bytes.length - start} follow; is the file cut off?`,
    );
  }
  const text = String.fromCharCode(...bytes.subarray(start, start + length));
  const { descr, fortran_order: fortran, shape } = readLiteral(text);
  if (Array.isArray(descr)) {
    throw new FormatError(`${what} holds records with fields; save one plain array for each field`);
  }
  if (typeof descr !== 'string' || typeof fortran !== 'boolean' || !isShape(shape)) {
    throw new FormatError(`the header of ${what} is not NumPy's: ${text.slice(0, 80)}`);
  }
  return { descr, fortran, shape, start: start + length };
}

// As many dimensions as NumPy has at most.
const kMostDims = 64;

const isShape = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length <= kMostDims &&
  value.every((dim) => Number.isSafeInteger(dim) && (dim as number) >= 0);

/** Elements in Fortran's order (first index fastest) row by row. */
function toRows(data: TypedArray, shape: readonly number[]): TypedArray {
  const result = data.slice();
  const index = shape.map(() => 0);
  let from = 0;
  const strides: number[] = [];
  shape.reduce((stride, dim) => {
    strides.push(stride);
    return stride * dim;
  }, 1);
  for (let to = 0; to < result.length; to++) {
    result[to] = data[from] as number;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const stride = strides[axis] as number;
      from += stride;
      if (++(index[axis] as number) < (shape[axis] as number)) break;
      from -= stride * (shape[axis] as number);
      index[axis] = 0;
    }
  }
  return result;
}

/**
 * Reads what `np.save` wrote: numbers and booleans of either byte order, in C or Fortran order. FormatError for other
 * dtypes (objects, strings, complex numbers, records) and for a file that is cut off; `what` names it there.
 *
 * Source: NumPy Enhancement Proposal 1, versions 1.0 to 3.0 of the format.
 */
export function readNpy(bytes: Uint8Array, what = 'the file', budget?: Budget): NumpyArray {
  const { descr, fortran, shape, start } = readHeader(bytes, what);
  const { dtype, size, decode } = elementType(descr, what);
  const count = elementCount(shape);
  budget?.spend('entries', 1, what);
  budget?.check();
  if (count * size !== bytes.length - start) {
    throw new FormatError(
      `${what} has shape [${shape}] of ${dtype}, ${count * size} bytes, but holds ${bytes.length - start}`,
    );
  }
  const data = decode(bytes.subarray(start));
  return { shape, dtype, data: fortran && shape.length > 1 ? toRows(data, shape) : data };
}

const descriptions = { float32: '<f4', int32: '<i4', bool: '|b1' };

/** What `np.load` reads: version 1.0, C order. `data` has as many elements as `shape` says. */
export function writeNpy(
  shape: readonly number[],
  dtype: keyof typeof descriptions,
  data: TypedArray,
): Uint8Array {
  const list = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${descriptions[dtype]}', 'fortran_order': False, 'shape': (${list}), }`;
  // Data begins at a multiple of 64; a line feed ends the header.
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const file = new Uint8Array(10 + length + data.byteLength);
  const header = `${kMagic}\x01\0${String.fromCharCode(length & 255, length >> 8)}${text.padEnd(length - 1)}\n`;
  for (let i = 0; i < header.length; i++) file[i] = header.charCodeAt(i);
  file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), 10 + length);
  return file;
}
