// SPDX-License-Identifier: MIT
import { FormatError } from '../errors.js';
import type { TypedArray } from '../nested.js';
import { decode } from './hdf5/decode.js';

export interface ElementType {
  /** NumPy's name. */
  dtype: string;
  /** Bytes of an element. */
  size: number;
  decode(bytes: Uint8Array): TypedArray;
}

const names: { [kind: string]: string } = { f: 'float', i: 'int', u: 'uint' };

/** How elements of a NumPy type such as `<f4` are read. FormatError for those that are no numbers or booleans. */
export function elementType(descr: string, what: string): ElementType {
  const [, order, kind = '', digits] =
    /^([<>|=])(b(?=1$)|f(?=[248]$)|[iu](?=[1248]$))(\d)$/.exec(descr) ?? [];
  if (digits === undefined) {
    const remedy = descr.startsWith('|O')
      ? 'make all rows equally long first (pad them)'
      : "convert them with astype('float32') before saving";
    throw new FormatError(
      `${what} has elements of NumPy type '${descr}', not numbers or booleans; ${remedy}`,
    );
  }
  const size = Number(digits);
  const dtype = kind === 'b' ? 'bool' : `${names[kind]}${8 * size}`;
  const type = { kind: dtype, size, bigEndian: order === '>' };
  return { dtype, size, decode: (bytes) => decode(bytes, type) };
}
