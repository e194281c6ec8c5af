// SPDX-License-Identifier: MIT
// `variables.index`: a sorted table in blocks, in the form that LevelDB has. TensorFlow writes it
// without compression.
import { UnsupportedError } from '../../base/errors.js';
import { maskedChecksum } from '../../base/crc32c.js';
import { joinBytes } from '../../base/array.js';
import { decodeUtf8 } from '../../engine/utf8.js';
import type { Budget } from '../open/budget.js';
import { Cursor, damaged } from './message.js';

const kName = 'variables.index';
const kFooter = 48;
/** Kind of compression and checksum after each block. */
const kTrailer = 5;
const kMagic = [0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb];

/** Returns the values of the table by their keys. */
export function readTable(bytes: Uint8Array, budget: Budget): Map<string, Uint8Array> {
  const footer = bytes.subarray(Math.max(0, bytes.length - kFooter));
  if (!kMagic.every((byte, i) => footer[kFooter - kMagic.length + i] === byte)) {
    damaged(`${kName} has ${bytes.length} bytes and no end mark`);
  }
  const handles = new Cursor(footer, kName);
  handles.varint();
  handles.varint();
  const entries = new Map<string, Uint8Array>();
  let end = 0;
  for (const [, handle] of entriesOf(blockAt(bytes, handles), budget)) {
    const place = new Cursor(handle, kName);
    const start = place.varint();
    // Otherwise one block could be read once for each entry that names it.
    if (start < end) damaged(`the blocks of ${kName} overlap`);
    place.at = 0;
    const block = blockAt(bytes, place);
    end = start + block.length;
    for (const [key, value] of entriesOf(block, budget)) entries.set(key, value);
  }
  return entries;
}

/** Returns the block that an offset and a size name. */
function blockAt(bytes: Uint8Array, handle: Cursor): Uint8Array {
  const start = handle.varint();
  const size = handle.varint();
  const end = start + size;
  if (end + kTrailer > bytes.length) {
    damaged(`${kName} has ${bytes.length} bytes, but a block ends at ${end + kTrailer}`);
  }
  if (bytes[end] !== 0) {
    throw new UnsupportedError(
      `${kName} is compressed, which TensorFlow never does: load the folder in Python, and save the model with model.save("name.keras")`,
    );
  }
  const checksum = new Cursor(bytes.subarray(end + 1, end + kTrailer), kName).uint32();
  if (maskedChecksum(bytes.subarray(start, end + 1)) !== checksum) {
    damaged(`a block of ${kName} does not match its checksum`);
  }
  return bytes.subarray(start, end);
}

/** Yields the entries of a block. A key begins with a part of the key before it. */
function* entriesOf(block: Uint8Array, budget: Budget): Generator<[string, Uint8Array]> {
  const restarts = block.length >= 4 ? new Cursor(block.subarray(-4), kName).uint32() : 0;
  const end = block.length - 4 * (restarts + 1);
  if (end < 0) damaged(`a block of ${kName} has ${block.length} bytes`);
  const cursor = new Cursor(block.subarray(0, end), kName);
  let key = new Uint8Array();
  while (!cursor.isAtEnd) {
    const shared = cursor.varint();
    const added = cursor.varint();
    const size = cursor.varint();
    if (shared > key.length) damaged(`a key of ${kName} repeats ${shared} bytes`);
    budget.spend('entries', 1, kName);
    budget.spend('text', shared + added, `the names in ${kName}`);
    key = joinBytes([key.subarray(0, shared), cursor.take(added)]) as Uint8Array<ArrayBuffer>;
    yield [decodeUtf8(key), cursor.take(size)];
  }
}
