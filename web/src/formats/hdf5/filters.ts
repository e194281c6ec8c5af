// SPDX-License-Identifier: MIT
// Compressed and shuffled chunks. layout.ts passes each chunk through here.
import { atOnce } from '../open/budget.js';
import { inflate } from '../zip/inflate.js';
import { type Cursor, damaged } from './cursor.js';
import { notReadable } from './datatype.js';
import type { DatasetInfo } from './dataset_info.js';

const kDeflate = 1;
const kShuffle = 2;
const kFletcher = 3;
/** Largest number of filters that HDF5 allows. */
const kMaxFilters = 32;

/** Reads the ids of a dataset's filters, in the order in which they were applied. */
export function readFilters(body: Cursor): number[] {
  const version = body.u8();
  const count = body.u8();
  if (count > kMaxFilters)
    throw damaged(`an array has ${count} filters; at most ${kMaxFilters} are allowed`);
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

/** Undoes the filters of a chunk, except those in `mask`, which were not applied to it. */
export function undoFilters(
  bytes: Uint8Array,
  mask: number,
  size: number,
  { file, filters, type, path }: DatasetInfo,
): Uint8Array {
  let result = bytes;
  // The budget counted the result of the first filter with the array.
  let isCounted = true;
  for (let i = filters.length - 1; i >= 0; i--) {
    if (mask & (1 << i)) continue;
    const id = filters[i];
    if (id === kDeflate) {
      const name = `'/${path}'`;
      const data = { bytes: result, wrap: 'zlib', maxSize: size + 4, name, isCounted } as const;
      result = atOnce(inflate(data, file.budget));
      isCounted = false;
    } else if (id === kShuffle) result = unshuffle(result, type.size);
    else if (id === kFletcher) result = result.subarray(0, Math.max(0, result.length - 4));
    else throw notReadable(`a filter (number ${id}) other than gzip and shuffle`, path);
  }
  if (result.length !== size) {
    throw damaged(`a chunk of '/${path}' has ${result.length} bytes instead of ${size}`);
  }
  return result;
}

/** Undoes the shuffle filter, which stores the first bytes of all elements, then the second, … */
function unshuffle(bytes: Uint8Array, itemSize: number): Uint8Array {
  const count = Math.floor(bytes.length / itemSize);
  const result = new Uint8Array(bytes);
  for (let part = 0; part < itemSize; part++) {
    for (let i = 0; i < count; i++) result[i * itemSize + part] = bytes[part * count + i] as number;
  }
  return result;
}
