// SPDX-License-Identifier: MIT
import { FormatError } from '../../base/errors.js';
import type { TypedArray } from '../../base/nested.js';
import { decode } from '../hdf5/decode.js';

export interface ElementType {
  /** NumPy's name. */
  dtype: string;
  /** Bytes of an element. */
  size: number;
  decode(bytes: Uint8Array): TypedArray;
}

/** By kind: the name without its bits, and the sizes that there are. */
const kinds: { readonly [kind: string]: readonly [name: string, sizes: string] } = {
  b: ['bool', '1'],
  f: ['float', '248'],
  i: ['int', '1248'],
  u: ['uint', '1248'],
};

/** How elements of a NumPy type such as `<f4` are read. FormatError for those that are no numbers or booleans. */
export function elementType(descr: string, what: string): ElementType {
  const [order = '', kind = '', digit = ''] = descr;
  const [name, sizes = ''] = (Object.hasOwn(kinds, kind) && kinds[kind]) || [];
  const known = descr.length === 3 && '<>|='.includes(order) && sizes.includes(digit);
  if (!known || name === undefined) {
    const remedy = descr.startsWith('|O')
      ? 'make all rows equally long first (pad them)'
      : "convert them with astype('float32') before saving";
    throw new FormatError(
      `${what} has elements of NumPy type '${descr}', not numbers or booleans; ${remedy}`,
    );
  }
  const size = Number(digit);
  const dtype = kind === 'b' ? name : `${name}${8 * size}`;
  const type = { kind: dtype, size, bigEndian: order === '>' };
  return { dtype, size, decode: (bytes) => decode(bytes, type) };
}
