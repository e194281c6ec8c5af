// SPDX-License-Identifier: MIT
// Files of `np.save`: reading for `readNpy` and recordings of `verify`, writing for the command.
import { elementCount } from '../../base/array.js';
import { FormatError } from '../../base/errors.js';
import type { TypedArray } from '../../base/nested.js';
import type { Budget } from '../open/budget.js';
import { readLiteral } from './npy_header.js';
import { elementType } from './dtypes.js';
import { rowMajor } from '../row_major.js';

/** A NumPy array in row-major order. */
export interface NumpyArray {
  shape: number[];
  /** NumPy's name: float32, float64, float16, bool, int8 … int64, uint8 … uint64. */
  dtype: string;
  /** The elements: float16 as Float32Array, bool as Uint8Array, 64-bit integers as Float64Array. */
  data: TypedArray;
}

const kMagic = '\x93NUMPY';
/** Largest header in bytes. */
export const kMaxHeader = 65536;

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** Returns whether a file starts like those of `np.save`. */
export const isNpy = (bytes: Uint8Array): boolean => latin1(bytes.subarray(0, 6)) === kMagic;

/** The beginning of a file. */
export interface Header {
  descr: string;
  fortran: boolean;
  shape: number[];
  start: number;
}

/** Reads the header, a Python dictionary with three keys. */
export function readHeader(bytes: Uint8Array, what: string): Header {
  if (!isNpy(bytes)) throw new FormatError(`${what} is not a .npy file: its first bytes differ`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWide = (bytes[6] ?? 1) > 1;
  const start = isWide ? 12 : 10;
  if (bytes.length < start) throw new FormatError(`${what} ends in its header; it is cut short`);
  const length = isWide ? view.getUint32(8, true) : view.getUint16(8, true);
  if (length > kMaxHeader || start + length > bytes.length) {
    throw new FormatError(
      `the header of ${what} needs ${length} bytes, but ${bytes.length - start} follow; the file is cut short`,
    );
  }
  const text = String.fromCharCode(...bytes.subarray(start, start + length));
  const { descr, fortran_order: fortran, shape } = readLiteral(text);
  if (Array.isArray(descr)) {
    throw new FormatError(`${what} contains records with fields; save an array for each field`);
  }
  if (typeof descr !== 'string' || typeof fortran !== 'boolean' || !isShape(shape)) {
    throw new FormatError(`the header of ${what} is not NumPy's: it is ${text.slice(0, 80)}`);
  }
  return { descr, fortran, shape, start: start + length };
}

/** Largest number of dimensions in NumPy. */
const kMaxDims = 64;

const isShape = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length <= kMaxDims &&
  value.every((dim) => Number.isSafeInteger(dim) && (dim as number) >= 0);

/** Converts elements from Fortran order (first index fastest) to row-major order. */
function toRows(
  data: TypedArray,
  shape: readonly number[],
  budget: Budget | undefined,
): TypedArray {
  const strides: number[] = [];
  shape.reduce((stride, dim) => {
    strides.push(stride);
    return stride * dim;
  }, 1);
  return rowMajor(data, shape, strides, budget);
}

/** Number of elements that are converted without a look at the clock. */
const kPiece = 2 ** 18;

/** Decodes elements; those that need a conversion, in pieces. */
function decodePieces(
  bytes: Uint8Array,
  size: number,
  decode: (bytes: Uint8Array) => TypedArray,
  budget: Budget | undefined,
): TypedArray {
  const step = kPiece * size;
  const first = decode(bytes.subarray(0, step));
  if (bytes.length <= step) return first;
  const isView = first.buffer === bytes.buffer;
  if (isView) return decode(bytes);
  const Class = first.constructor as new (length: number) => TypedArray;
  const whole = new Class(bytes.length / size);
  whole.set(first);
  for (let at = step; at < bytes.length; at += step) {
    budget?.check();
    whole.set(decode(bytes.subarray(at, at + step)), at / size);
  }
  return whole;
}

/**
 * Reads a file of `np.save`: numbers and booleans of either byte order, in C or Fortran order.
 * Throws FormatError for other dtypes (objects, strings, complex numbers, records) and for a file
 * that is cut short; `what` is its name in the message.
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
      `${what} of shape [${shape}] and dtype ${dtype} needs ${count * size} bytes, but has ${bytes.length - start}`,
    );
  }
  const data = decodePieces(bytes.subarray(start), size, decode, budget);
  const isFortran = fortran && shape.length > 1;
  return { shape, dtype, data: isFortran ? toRows(data, shape, budget) : data };
}

const descriptions = { float32: '<f4', int32: '<i4', bool: '|b1' };

/** Dtypes that can be written. */
export type WrittenDType = keyof typeof descriptions;

/** The header of a file, version 1.0, C order. `spare`: room for more digits of the first size. */
export function npyHeader(shape: readonly number[], dtype: WrittenDType, spare = 0): Uint8Array {
  const list = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${descriptions[dtype]}', 'fortran_order': False, 'shape': (${list}), }`;
  const digits = spare && Math.max(0, spare - `${shape[0]}`.length);
  // The data starts at a multiple of 64; a line feed ends the header.
  const length = Math.ceil((10 + text.length + digits + 1) / 64) * 64 - 10;
  const header = `${kMagic}\x01\0${String.fromCharCode(length & 255, length >> 8)}${text.padEnd(length - 1)}\n`;
  return Uint8Array.from(header, (character) => character.charCodeAt(0));
}

/** Writes a file for `np.load`: version 1.0, C order. `data` has the elements of `shape`. */
export function writeNpy(
  shape: readonly number[],
  dtype: WrittenDType,
  data: TypedArray,
): Uint8Array {
  const header = npyHeader(shape, dtype);
  const file = new Uint8Array(header.length + data.byteLength);
  file.set(header);
  file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), header.length);
  return file;
}
