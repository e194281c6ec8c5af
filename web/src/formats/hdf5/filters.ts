// SPDX-License-Identifier: MIT
import { atOnce } from '../open/budget.js';
import { inflating } from '../zip/inflate.js';
import { type Cursor, damaged } from './cursor.js';
import { notReadable } from './datatype.js';
import type { Stored } from './stored.js';

const kDeflate = 1;
const kShuffle = 2;
const kFletcher = 3;
// HDF5's own limit.
const kMostFilters = 32;

/** Ids of the filters that a dataset's pieces went through when they were written, in order. */
export function readFilters(body: Cursor): number[] {
  const version = body.u8();
  const count = body.u8();
  if (count > kMostFilters) throw damaged(`${count} filters of one array`);
  if (version === 1) body.skip(6);
  return Array.from({ length: count }, () => {
    const id = body.u16();
    const nameLength = version === 1 || id >= 256 ? body.u16() : 0;
    body.skip(2);
    const values = body.u16();
    body.skip(version === 1 ? (nameLength + 7) & ~7 : nameLength).skip(4 * values);
    if (version === 1 && values % 2 === 1) body.skip(4);
    return id;
  });
}

/** Undoes the filters, except those that `mask` says were left out for this piece. */
export function unfilter(
  bytes: Uint8Array,
  mask: number,
  size: number,
  { file, filters, type, path }: Stored,
): Uint8Array {
  let result = bytes;
  // What the first one unpacks to was counted with the array.
  let counted = true;
  for (let i = filters.length - 1; i >= 0; i--) {
    if (mask & (1 << i)) continue;
    const id = filters[i];
    if (id === kDeflate) {
      const name = `'/${path}'`;
      const packed = { bytes: result, wrap: 'zlib', most: size + 4, name, counted } as const;
      result = atOnce(inflating(packed, file.budget));
      counted = false;
    } else if (id === kShuffle) result = unshuffle(result, type.size);
    else if (id === kFletcher) result = result.subarray(0, Math.max(0, result.length - 4));
    else throw notReadable(`a compression (filter ${id}) other than gzip`, path);
  }
  if (result.length !== size) {
    throw damaged(`a piece of '/${path}' has ${result.length} bytes in place of ${size}`);
  }
  return result;
}

/** First bytes of all items, then all second bytes … back to items. */
function unshuffle(bytes: Uint8Array, itemSize: number): Uint8Array {
  const count = Math.floor(bytes.length / itemSize);
  const result = new Uint8Array(bytes);
  for (let part = 0; part < itemSize; part++) {
    for (let i = 0; i < count; i++) result[i * itemSize + part] = bytes[part * count + i] as number;
  }
  return result;
}
