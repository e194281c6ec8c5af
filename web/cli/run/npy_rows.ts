// SPDX-License-Identifier: MIT
// The reader of .npy files, row by row, for open_rows.ts.
import { elementCount } from '../../src/base/array.js';
import { FormatError } from '../../src/base/errors.js';
import { elementType } from '../../src/formats/numpy/dtypes.js';
import { type Header, kMaxHeader, readHeader } from '../../src/formats/numpy/npy.js';
import type { ByteSource } from './byte_source.js';
import { noFields, type Row, type RowSource } from './rows.js';

/** Longest beginning of a file: two numbers and the header. */
const kLongestStart = 12 + kMaxHeader;

/** The rows of a .npy file; null if it must be read as a whole. */
export async function npyRows(source: ByteSource, what: string): Promise<RowSource | null> {
  const head = await source.peek((bytes) => bytes.length >= kLongestStart);
  const header = readHeader(head, what);
  const [rows, ...shape] = header.shape;
  if (rows === undefined || rows === 0 || elementCount(shape) === 0) return null;
  if (header.fortran && shape.length > 0) return null;
  const { dtype, size } = elementType(header.descr, what);
  const [needed, actual] = [rows * elementCount(shape) * size, (source.size ?? 0) - header.start];
  if (source.size !== null && needed !== actual) {
    throw wrongSize(what, header, dtype, needed, actual);
  }
  source.skip(header.start);
  return { what, unit: 'row', blocks: blocksOf(source, what, header) };
}

const wrongSize = (
  what: string,
  { shape }: Header,
  dtype: string,
  needed: number,
  actual: number,
): FormatError =>
  new FormatError(
    `${what} of shape [${shape}] and dtype ${dtype} needs ${needed} bytes, but has ${actual}`,
  );

async function* blocksOf(source: ByteSource, what: string, header: Header): AsyncGenerator<Row[]> {
  const shape = header.shape.slice(1);
  const { dtype, size, decode } = elementType(header.descr, what);
  const count = elementCount(shape);
  const needed = elementCount(header.shape) * size;
  let rest = new Uint8Array(0);
  let read = 0;
  let number = 0;
  for await (const chunk of source) {
    read += chunk.length;
    if (read > needed) throw wrongSize(what, header, dtype, needed, read);
    const bytes: Uint8Array = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const rows = Math.floor(bytes.length / (count * size));
    // decode() needs the bytes at the beginning of a buffer of their own.
    const data = decode(bytes.slice(0, rows * count * size));
    rest = bytes.slice(rows * count * size);
    yield Array.from({ length: rows }, (_, i) => {
      const values = { shape, data: data.subarray(i * count, (i + 1) * count) };
      return { number: ++number, values: [values], fields: noFields };
    });
  }
  if (read !== needed) throw wrongSize(what, header, dtype, needed, read);
}
