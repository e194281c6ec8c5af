// SPDX-License-Identifier: MIT
// The start of an HDF5 file, which sets the width of all addresses after it.
import { FormatError } from '../../base/errors.js';
import type { Budget } from '../open/budget.js';
import { damaged, FileBytes } from './cursor.js';

const signature = [0x89, 0x48, 0x44, 0x46, 13, 10, 0x1a, 10];

/** Finds the signature at 0, or after a user block at 512, 1024, 2048 …; -1 if it is missing. */
function findSignature(bytes: Uint8Array): number {
  for (let at = 0; at + 8 <= bytes.length; at = at === 0 ? 512 : 2 * at) {
    if (signature.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}

/** Reads the superblock; returns the file and the address of its root group. */
export function readSuperblock(
  bytes: Uint8Array,
  budget?: Budget,
): { file: FileBytes; root: number } {
  const start = findSignature(bytes);
  if (start < 0) {
    throw new FormatError('this is not an HDF5 file: the signature at its start is missing');
  }
  const file = new FileBytes(start === 0 ? bytes : bytes.subarray(start), budget);
  const cursor = file.cursor(8);
  const version = cursor.u8();
  if (version > 3) throw damaged(`its superblock has version ${version}; the newest known is 3`);
  if (version < 2) cursor.skip(4);
  file.offsetSize = checkedWidth(cursor.u8());
  file.lengthSize = checkedWidth(cursor.u8());
  if (version < 2) cursor.skip(1 + 8 + (version === 1 ? 4 : 0));
  else cursor.skip(1);
  const base = cursor.address();
  cursor.address();
  const end = cursor.address();
  if (end - base > file.bytes.length) {
    throw new FormatError(
      `the HDF5 file is cut short: it states ${end - base} bytes, but has ${file.bytes.length}; fetch it again`,
    );
  }
  // The entry of the root group follows: the offset of its name, then the address of its header.
  if (version < 2) cursor.skip(2 * file.offsetSize);
  return { file, root: cursor.address() };
}

function checkedWidth(size: number): number {
  if (size === 2 || size === 4 || size === 8) return size;
  throw damaged(`addresses have ${size} bytes instead of 2, 4 or 8`);
}
