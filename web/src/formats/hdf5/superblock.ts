// SPDX-License-Identifier: MIT
import { FormatError } from '../../base/errors.js';
import type { Budget } from '../open/budget.js';
import { damaged, FileBytes } from './cursor.js';

const signature = [0x89, 0x48, 0x44, 0x46, 13, 10, 0x1a, 10];

/** Where HDF5 begins in these bytes: at 0, or at 512, 1024, 2048 … behind a block of the user's; -1: nowhere. */
export function findSignature(bytes: Uint8Array): number {
  for (let at = 0; at + 8 <= bytes.length; at = at === 0 ? 512 : 2 * at) {
    if (signature.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}

/** The file, and the address of its root group. */
export function superblock(bytes: Uint8Array, budget?: Budget): { file: FileBytes; root: number } {
  const start = findSignature(bytes);
  if (start < 0)
    throw new FormatError('this is no HDF5 file: it does not begin with its signature');
  const file = new FileBytes(start === 0 ? bytes : bytes.subarray(start), budget);
  const cursor = file.cursor(8);
  const version = cursor.u8();
  if (version > 3) throw damaged(`its version is ${version}, the newest known is 3`);
  if (version < 2) cursor.skip(4);
  file.offsetSize = width(cursor.u8());
  file.lengthSize = width(cursor.u8());
  if (version < 2) cursor.skip(1 + 8 + (version === 1 ? 4 : 0));
  else cursor.skip(1);
  const base = cursor.address();
  cursor.address();
  const end = cursor.address();
  if (end - base > file.bytes.length) {
    throw new FormatError(
      `the HDF5 file is cut short: it says that it has ${end - base} bytes, but there are ${file.bytes.length}; fetch it again`,
    );
  }
  // What follows the driver's address is the entry of the root group: name, then header.
  if (version < 2) cursor.skip(2 * file.offsetSize);
  return { file, root: cursor.address() };
}

function width(size: number): number {
  if (size === 2 || size === 4 || size === 8) return size;
  throw damaged(`addresses of ${size} bytes`);
}
