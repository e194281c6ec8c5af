// SPDX-License-Identifier: MIT
// Types and shapes of datasets and attributes: "Datatype Message" and "Dataspace Message" in the
// HDF5 File Format Specification.
import { elementCount } from '../../base/array.js';
import { UnsupportedError } from '../../base/errors.js';
import { type Cursor, damaged } from './cursor.js';

/** Type of an element. */
export interface Datatype {
  /** NumPy's name, 'string' of fixed length, 'text' in a heap, or another word for other types. */
  readonly kind: string;
  /** Number of bytes of an element in the file. */
  readonly size: number;
  readonly bigEndian: boolean;
}

const kFixed = 0;
const kFloat = 1;
const kString = 3;
const kOpaque = 5;
const kEnum = 8;
const kVariable = 9;

export function readDatatype(cursor: Cursor): Datatype {
  const head = cursor.u8();
  const flags = cursor.u8();
  cursor.skip(2);
  const size = cursor.u32();
  const type = { size, bigEndian: (flags & 1) === 1 };
  switch (head & 15) {
    case kFixed:
      return { ...type, kind: `${flags & 8 ? '' : 'u'}int${8 * size}` };
    case kFloat:
      // A two-byte float with eight bits of exponent is bfloat16.
      return {
        ...type,
        kind: cursor.part(8).skip(5).u8() === 8 && size === 2 ? 'bfloat16' : `float${8 * size}`,
      };
    case kString:
      return { ...type, kind: 'string' };
    case kEnum:
      return { ...readDatatype(cursor), kind: 'bool' };
    case kOpaque:
      return { ...type, kind: size === 2 ? 'bfloat16' : `opaque${8 * size}` };
    case kVariable:
      if ((flags & 15) === 1) return { ...type, kind: 'text' };
      return { ...type, kind: 'lists' };
    default:
      return { ...type, kind: `class ${head & 15}` };
  }
}

/** Reads the dimensions: [] for a scalar, null for an empty dataspace. */
export function readDataspace(cursor: Cursor): number[] | null {
  const version = cursor.u8();
  const rank = cursor.u8();
  cursor.skip(1);
  if (version === 1) cursor.skip(5);
  else if (version !== 2) throw damaged(`a dataspace has the unknown version ${version}`);
  else if (cursor.u8() === 2) return null;
  if (rank > 32) throw damaged(`an array has ${rank} dimensions; at most 32 are allowed`);
  return Array.from({ length: rank }, () => cursor.length());
}

/** Number of elements; not checked against the size of the file. */
export function countOf(shape: readonly number[] | null): number {
  // 0 is checked first: Infinity times 0 is NaN.
  if (shape === null || shape.includes(0)) return 0;
  return elementCount(shape);
}

/** The error for an object that uses an unsupported feature. */
export function notReadable(what: string, path: string): UnsupportedError {
  return new UnsupportedError(
    `'/${path}' in the HDF5 file has ${what}, which cannot be read here; copy the file with h5py or h5repack without it`,
  );
}
