// SPDX-License-Identifier: MIT
// Storage of the elements of a dataset: in its header, in one piece, or in chunks. open_hdf5.ts
// calls it when an array is read.
import { type Cursor, damaged } from './cursor.js';
import { countOf, notReadable } from './datatype.js';
import { undoFilters } from './filters.js';
import { treeLeaves } from './links.js';
import type { DatasetInfo } from './dataset_info.js';

const kCompact = 0;
const kContiguous = 1;
const kChunked = 2;
const kSingle = 1;

/** Reads the bytes of all elements in row-major order. */
export function readLayout(dataset: DatasetInfo, body: Cursor): Uint8Array {
  const version = body.u8();
  if (version === 1 || version === 2) return readOldLayout(dataset, body);
  if (version !== 3 && version !== 4) {
    throw notReadable(`a layout of version ${version} (the newest supported is 4)`, dataset.path);
  }
  const kind = body.u8();
  const size = sizeOf(dataset);
  if (kind === kCompact) return firstBytes(body.bytes(body.u16()), size, dataset);
  if (kind === kContiguous) return readContiguous(dataset, body.address(), size);
  if (kind !== kChunked) throw notReadable('an external or virtual layout', dataset.path);
  return version === 3 ? readChunkTree(dataset, body) : readSingleChunk(dataset, body);
}

function readOldLayout(dataset: DatasetInfo, body: Cursor): Uint8Array {
  const rank = body.u8();
  const kind = body.u8();
  body.skip(5);
  const address = kind === kCompact ? -1 : body.address();
  if (kind === kContiguous) return readContiguous(dataset, address, sizeOf(dataset));
  const dims = Array.from({ length: rank }, () => body.u32());
  if (kind === kChunked) return readChunks(dataset, address, dims.slice(0, -1));
  return firstBytes(body.bytes(body.u32()), sizeOf(dataset), dataset);
}

const sizeOf = ({ shape, type }: DatasetInfo): number => countOf(shape) * type.size;

/** Returns the first `size` bytes. Throws FormatError if there are fewer. */
function firstBytes(bytes: Uint8Array, size: number, { path }: DatasetInfo): Uint8Array {
  if (bytes.length >= size) return bytes.subarray(0, size);
  throw damaged(`'/${path}' has ${bytes.length} bytes instead of ${size}`);
}

function readContiguous({ file, path }: DatasetInfo, address: number, size: number): Uint8Array {
  if (size === 0) return new Uint8Array(0);
  if (address < 0) throw damaged(`'/${path}' has no data`);
  const end = file.bytes.length;
  if (address + size > end) {
    throw damaged(`'/${path}' has ${size} bytes from ${address}, but the file ends at ${end}`);
  }
  return file.bytes.subarray(address, address + size);
}

function readChunkTree(dataset: DatasetInfo, body: Cursor): Uint8Array {
  const rank = body.u8() - 1;
  const tree = body.address();
  return readChunks(
    dataset,
    tree,
    Array.from({ length: rank }, () => body.u32()),
  );
}

/** Layout 4 with a single chunk; its other chunk indexes are for arrays that can grow. */
function readSingleChunk(dataset: DatasetInfo, body: Cursor): Uint8Array {
  const flags = body.u8();
  const rank = body.u8();
  const width = body.u8();
  for (let i = 0; i < rank; i++) body.uint(width);
  if (body.u8() !== kSingle) throw notReadable("a chunk index of libver='latest'", dataset.path);
  const isFiltered = (flags & 2) !== 0;
  const size = sizeOf(dataset);
  const storedSize = isFiltered ? body.length() : size;
  const mask = isFiltered ? body.u32() : 0;
  const bytes = dataset.file.cursor(body.address(), storedSize).bytes(storedSize);
  if (dataset.filters.length === 0) return firstBytes(bytes, size, dataset);
  dataset.file.budget.unpack(size, `'/${dataset.path}' in the HDF5 file`);
  return undoFilters(bytes, mask, size, dataset);
}

/** Reads chunks of the shape `chunk`, which a tree lists by their position. */
function readChunks(dataset: DatasetInfo, tree: number, chunk: readonly number[]): Uint8Array {
  const { file, shape, type, path } = dataset;
  const size = sizeOf(dataset);
  if (size === 0) return new Uint8Array(0);
  if (chunk.length !== shape.length || chunk.some((dim) => dim < 1)) {
    throw damaged(`'/${path}' of shape [${shape}] has chunks of shape [${chunk}]`);
  }
  const count = shape.reduce((n, dim, i) => n * Math.ceil(dim / (chunk[i] as number)), 1);
  const chunkSize = countOf(chunk) * type.size;
  const chunks = findChunks(dataset, tree, count);
  file.budget.unpack(count * chunkSize, `'/${path}' in the HDF5 file`);
  const result = new Uint8Array(size);
  for (const { key, child } of chunks) {
    const storedSize = key.u32();
    const mask = key.u32();
    const start = shape.map(() => key.u64());
    const bytes = file.cursor(child, storedSize).bytes(storedSize);
    const content = undoFilters(bytes, mask, chunkSize, dataset);
    copyChunk(content, start, chunk, result, shape, type.size);
  }
  return result;
}

/** Finds all chunks before memory is allocated: an invented shape has too few. */
function findChunks(
  { file, shape, path }: DatasetInfo,
  tree: number,
  count: number,
): { key: Cursor; child: number }[] {
  const chunks: { key: Cursor; child: number }[] = [];
  for (const chunk of treeLeaves(file, tree, 1, 8 + 8 * (shape.length + 1))) {
    file.entry();
    chunks.push(chunk);
    if (chunks.length > count) break;
  }
  if (chunks.length === count) return chunks;
  throw damaged(`'/${path}' has ${chunks.length} chunks, but its shape needs ${count}`);
}

/** Copies a chunk to its position, row by row, without the parts beyond the shape. */
function copyChunk(
  content: Uint8Array,
  start: readonly number[],
  chunk: readonly number[],
  result: Uint8Array,
  shape: readonly number[],
  itemSize: number,
): void {
  const last = shape.length - 1;
  const copyAxis = (axis: number, from: number, to: number): void => {
    const first = start[axis] as number;
    const dim = shape[axis] as number;
    const count = Math.min(chunk[axis] as number, dim - first);
    if (axis >= last) {
      const length = Math.max(0, count) * itemSize;
      const offset = from * itemSize;
      const row = content.subarray(offset, offset + length);
      if (length > 0) result.set(row, (to + first) * itemSize);
      return;
    }
    for (let i = 0; i < count; i++) {
      const next = axis + 1;
      const source = (from + i) * (chunk[next] as number);
      copyAxis(next, source, (to + first + i) * (shape[next] as number));
    }
  };
  copyAxis(0, 0, 0);
}
