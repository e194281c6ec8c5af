// SPDX-License-Identifier: MIT
import { type Cursor, damaged } from './cursor.js';
import { countOf, notReadable } from './datatype.js';
import { unfilter } from './filters.js';
import { treeLeaves } from './links.js';
import type { Stored } from './stored.js';

const kCompact = 0;
const kContiguous = 1;
const kChunked = 2;
const kSingle = 1;

/** The bytes of all elements, row by row. */
export function readLayout(stored: Stored, body: Cursor): Uint8Array {
  const version = body.u8();
  if (version === 1 || version === 2) return oldLayout(stored, body);
  if (version !== 3 && version !== 4) {
    throw notReadable(`a layout of version ${version}, 4 is the last one known`, stored.path);
  }
  const kind = body.u8();
  const size = sizeOf(stored);
  if (kind === kCompact) return exactly(body.bytes(body.u16()), size, stored);
  if (kind === kContiguous) return contiguous(stored, body.address(), size);
  if (kind !== kChunked) throw notReadable('an external or virtual layout', stored.path);
  return version === 3 ? treeOfChunks(stored, body) : newChunks(stored, body);
}

function oldLayout(stored: Stored, body: Cursor): Uint8Array {
  const rank = body.u8();
  const kind = body.u8();
  body.skip(5);
  const address = kind === kCompact ? -1 : body.address();
  if (kind === kContiguous) return contiguous(stored, address, sizeOf(stored));
  const dims = Array.from({ length: rank }, () => body.u32());
  if (kind === kChunked) return chunks(stored, address, dims.slice(0, -1));
  return exactly(body.bytes(body.u32()), sizeOf(stored), stored);
}

const sizeOf = ({ shape, type }: Stored): number => countOf(shape) * type.size;

function exactly(bytes: Uint8Array, size: number, { path }: Stored): Uint8Array {
  if (bytes.length >= size) return bytes.subarray(0, size);
  throw damaged(`'/${path}' has ${bytes.length} bytes in place of ${size}`);
}

function contiguous({ file, path }: Stored, address: number, size: number): Uint8Array {
  if (size === 0) return new Uint8Array(0);
  if (address < 0) throw damaged(`'/${path}' was never written`);
  const end = file.bytes.length;
  if (address + size > end) {
    throw damaged(`'/${path}' takes ${size} bytes from ${address}, but the file ends at ${end}`);
  }
  return file.bytes.subarray(address, address + size);
}

function treeOfChunks(stored: Stored, body: Cursor): Uint8Array {
  const rank = body.u8() - 1;
  const tree = body.address();
  return chunks(
    stored,
    tree,
    Array.from({ length: rank }, () => body.u32()),
  );
}

/** The newer layout, where everything lies in one chunk; its other indexes are for arrays that grow. */
function newChunks(stored: Stored, body: Cursor): Uint8Array {
  const flags = body.u8();
  const rank = body.u8();
  const width = body.u8();
  for (let i = 0; i < rank; i++) body.uint(width);
  if (body.u8() !== kSingle) throw notReadable("chunks as libver='latest' keeps them", stored.path);
  const filtered = (flags & 2) !== 0;
  const size = sizeOf(stored);
  const packed = filtered ? body.length() : size;
  const mask = filtered ? body.u32() : 0;
  const bytes = stored.file.cursor(body.address(), packed).bytes(packed);
  if (stored.filters.length === 0) return exactly(bytes, size, stored);
  stored.file.budget.unpack(size, `'/${stored.path}' in the HDF5 file`);
  return unfilter(bytes, mask, size, stored);
}

/** Pieces of `chunk` elements each way, listed in a tree by where they begin. */
function chunks(stored: Stored, tree: number, chunk: readonly number[]): Uint8Array {
  const { file, shape, type, path } = stored;
  const size = sizeOf(stored);
  if (size === 0) return new Uint8Array(0);
  if (chunk.length !== shape.length || chunk.some((dim) => dim < 1)) {
    throw damaged(`'/${path}' has pieces of ${chunk} in a shape of ${shape}`);
  }
  const wanted = shape.reduce((n, dim, i) => n * Math.ceil(dim / (chunk[i] as number)), 1);
  const pieceSize = countOf(chunk) * type.size;
  const found = pieces(stored, tree, wanted);
  file.budget.unpack(wanted * pieceSize, `'/${path}' in the HDF5 file`);
  const result = new Uint8Array(size);
  for (const { key, child } of found) {
    const packed = key.u32();
    const mask = key.u32();
    const start = shape.map(() => key.u64());
    const bytes = file.cursor(child, packed).bytes(packed);
    const piece = unfilter(bytes, mask, pieceSize, stored);
    place(piece, start, chunk, result, shape, type.size);
  }
  return result;
}

/** Where all pieces lie. Before anything is made of them: if they are there, the shape is not made up. */
function pieces(
  { file, shape, path }: Stored,
  tree: number,
  wanted: number,
): { key: Cursor; child: number }[] {
  const found: { key: Cursor; child: number }[] = [];
  for (const piece of treeLeaves(file, tree, 1, 8 + 8 * (shape.length + 1))) {
    file.entry();
    found.push(piece);
    if (found.length > wanted) break;
  }
  if (found.length === wanted) return found;
  throw damaged(`'/${path}' has ${found.length} of its ${wanted} pieces`);
}

/** Copies a piece to where it belongs, row by row; what reaches over the edge is left out. */
function place(
  piece: Uint8Array,
  start: readonly number[],
  chunk: readonly number[],
  result: Uint8Array,
  shape: readonly number[],
  itemSize: number,
): void {
  const last = shape.length - 1;
  const row = (axis: number, from: number, to: number): void => {
    const here = start[axis] as number;
    const dim = shape[axis] as number;
    const count = Math.min(chunk[axis] as number, dim - here);
    if (axis >= last) {
      const length = Math.max(0, count) * itemSize;
      const at = (to + here) * itemSize;
      if (length > 0) result.set(piece.subarray(from * itemSize, from * itemSize + length), at);
      return;
    }
    for (let i = 0; i < count; i++) {
      const next = axis + 1;
      row(next, (from + i) * (chunk[next] as number), (to + here + i) * (shape[next] as number));
    }
  };
  row(0, 0, 0);
}
