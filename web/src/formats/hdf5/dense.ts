// SPDX-License-Identifier: MIT
// In the newer layout, a group with many links or attributes stores them in a heap (FRHP) and lists
// their positions in a tree (BTHD).
import { UnsupportedError } from '../../base/errors.js';
import { type Cursor, damaged, type FileBytes } from './cursor.js';

/** Yields the links or attributes of a heap, in the order of the index. */
export function* denseMessages(
  file: FileBytes,
  { heap, index }: { heap: number; index: number },
): Generator<Cursor> {
  if (heap < 0 || index < 0) return;
  const find = openHeap(file, heap);
  for (const record of indexRecords(file, index)) yield find(record);
}

/** Offset of the id in a record, by type of index: 5 is for links, 8 for attributes. */
const idOffsets = new Map([
  [5, 4],
  [8, 0],
]);

function* indexRecords(file: FileBytes, address: number): Generator<Cursor> {
  const head = file.cursor(address).expect('BTHD', 'an index').skip(1);
  const idOffset = idOffsets.get(head.u8());
  if (idOffset === undefined) throw damaged('an index has an unknown type');
  const nodeSize = head.u32();
  const recordSize = head.u16();
  const depth = head.u16();
  const root = head.skip(2).address();
  const count = head.u16();
  if (depth > 1) throw new UnsupportedError(kTooMany);
  const leaf = function* (at: number, records: number): Generator<Cursor> {
    const node = file.cursor(at).expect('BTLF', 'an index').skip(2);
    for (let i = 0; i < records; i++) yield node.part(recordSize).skip(idOffset);
  };
  if (root < 0) return;
  if (depth === 0) {
    yield* leaf(root, count);
    return;
  }
  const node = file.cursor(root).expect('BTIN', 'an index').skip(2);
  const records = Array.from({ length: count }, () => node.part(recordSize).skip(idOffset));
  const width = bytesFor(Math.floor((nodeSize - 10) / recordSize));
  for (let i = 0; i <= count; i++) {
    const child = node.address();
    yield* leaf(child, node.uint(width));
    const record = records[i];
    if (record) yield record;
  }
}

const kTooMany =
  'the HDF5 file has a group with many thousands of members, which cannot be read here';

/** Number of bytes of a count up to `max`. */
const bytesFor = (max: number): number => (max < 256 ? 1 : 2);

/** Opens a heap; the result finds the object whose id is at a cursor. */
function openHeap(file: FileBytes, address: number): (id: Cursor) => Cursor {
  const head = file.cursor(address).expect('FRHP', 'a heap').skip(3);
  const filters = head.u16();
  head.skip(1);
  const maxManaged = head.u32();
  head.skip(10 * file.lengthSize + 2 * file.offsetSize);
  const width = head.u16();
  const first = head.length();
  const maxDirect = head.length();
  const offsetBytes = Math.ceil(head.u16() / 8);
  const root = head.skip(2).address();
  const rows = head.u16();
  if (filters > 0)
    throw new UnsupportedError(
      'the HDF5 file has compressed names or attributes, which cannot be read here',
    );
  const lengthBytes = Math.ceil(Math.log2(Math.min(maxDirect, maxManaged) + 1) / 8);
  return (id) => {
    const kind = (id.u8() >> 4) & 3;
    if (kind !== 0) {
      throw new UnsupportedError(
        'the HDF5 file has an attribute too large for its heap; split it into several',
      );
    }
    const offset = readUint(id, offsetBytes);
    const length = readUint(id, lengthBytes);
    if (rows === 0) return file.cursor(root + offset, length);
    const { index, offsetInBlock } = blockOf(offset, first, width, maxDirect);
    const table = file
      .cursor(root)
      .expect('FHIB', 'a heap')
      .skip(1 + file.offsetSize + offsetBytes);
    return file.cursor(table.skip(index * file.offsetSize).address() + offsetInBlock, length);
  };
}

/** Reads an unsigned number of any number of bytes. */
function readUint(cursor: Cursor, width: number): number {
  return cursor.bytes(width).reduceRight((value, byte) => value * 256 + byte, 0);
}

/**
 * Finds the block at an offset: rows have `width` blocks, whose size doubles from the third row on.
 */
function blockOf(
  offset: number,
  first: number,
  width: number,
  maxDirect: number,
): { index: number; offsetInBlock: number } {
  let start = 0;
  for (let row = 0, size = first; size <= maxDirect && size > 0; row++) {
    const blocks = Math.floor((offset - start) / size);
    if (blocks < width)
      return { index: row * width + blocks, offsetInBlock: offset - start - blocks * size };
    start += width * size;
    if (row > 0) size *= 2;
  }
  throw new UnsupportedError(kTooMany);
}
