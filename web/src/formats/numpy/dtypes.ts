// SPDX-License-Identifier: MIT
// NumPy's short names of types, such as `<f4`, in the headers of `.npy` files.
import { FormatError } from '../../base/errors.js';
import type { TypedArray } from '../../base/nested.js';
import { decode } from '../hdf5/decode.js';

/** Type of the elements of an array. */
export interface ElementType {
  /** NumPy's name. */
  dtype: string;
  /** Number of bytes of an element. */
  size: number;
  /** Decodes the bytes of whole elements. */
  decode(bytes: Uint8Array): TypedArray;
}

/** Kinds of dtypes by letter: the name without bits, and the possible sizes. */
const kinds: { readonly [kind: string]: readonly [name: string, sizes: string] } = {
  b: ['bool', '1'],
  f: ['float', '248'],
  i: ['int', '1248'],
  u: ['uint', '1248'],
};

/** Finds a NumPy type such as `<f4`. Throws FormatError if it is neither a number nor a boolean. */
export function elementType(descr: string, what: string): ElementType {
  const [order = '', kind = '', digit = ''] = descr;
  const [name, sizes = ''] = (Object.hasOwn(kinds, kind) && kinds[kind]) || [];
  const isKnown = descr.length === 3 && '<>|='.includes(order) && sizes.includes(digit);
  if (!isKnown || name === undefined) {
    const remedy = descr.startsWith('|O')
      ? 'pad all rows to the same length before saving'
      : "convert them with astype('float32') before saving";
    throw new FormatError(
      `${what} has elements of NumPy type '${descr}', which are not numbers or booleans; ${remedy}`,
    );
  }
  const size = Number(digit);
  const dtype = kind === 'b' ? name : `${name}${8 * size}`;
  const type = { kind: dtype, size, bigEndian: order === '>' };
  return { dtype, size, decode: (bytes) => decode(bytes, type) };
}
