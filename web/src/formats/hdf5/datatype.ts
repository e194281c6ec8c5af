// SPDX-License-Identifier: MIT
import { elementCount } from '../../base/array.js';
import { UnsupportedError } from '../../base/errors.js';
import { type Cursor, damaged } from './cursor.js';

/** How an element lies in the file. `kind` is NumPy's name, or how a string is kept. */
export interface Datatype {
  readonly kind: string;
  /** Bytes of one element in the file. */
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
      // A two-byte float with an exponent of eight bits is a bfloat16.
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

/** Dimensions; [] of one element, null of none. */
export function readDataspace(cursor: Cursor): number[] | null {
  const version = cursor.u8();
  const rank = cursor.u8();
  cursor.skip(1);
  if (version === 1) cursor.skip(5);
  else if (version !== 2) throw damaged(`a dataspace of version ${version}`);
  else if (cursor.u8() === 2) return null;
  if (rank > 32) throw damaged(`an array of ${rank} dimensions`);
  return Array.from({ length: rank }, () => cursor.length());
}

/** How many elements. Sizes beyond what a file can hold are refused by whoever reads them. */
export function countOf(shape: readonly number[] | null): number {
  // A zero first: it would make no number of an infinity.
  if (shape === null || shape.includes(0)) return 0;
  return elementCount(shape);
}

export function notReadable(what: string, path: string): UnsupportedError {
  return new UnsupportedError(
    `'/${path}' in the HDF5 file has ${what}, which cannot be read here; copy the file with h5py or h5repack without it`,
  );
}
