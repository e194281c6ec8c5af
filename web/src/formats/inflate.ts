// SPDX-License-Identifier: MIT
import { Inflate, Unzlib } from 'fflate';
import { FormatError } from '../errors.js';

// A byte of DEFLATE makes at most 1032. Fed in pieces, what does not end where it says is caught before it
// has cost more than a piece's worth.
const kPiece = 16384;

/**
 * What DEFLATE made of at most `most` bytes, bare or with zlib's header. FormatError when it is damaged or
 * makes more.
 */
export function inflate(
  packed: Uint8Array,
  most: number,
  wrap: 'raw' | 'zlib',
  name: string,
): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const take = (piece: Uint8Array): void => {
    size += piece.length;
    if (size > most) {
      throw new FormatError(`${name} unpacks to more than the ${most} bytes that the file says`);
    }
    pieces.push(piece);
  };
  const stream = wrap === 'raw' ? new Inflate(take) : new Unzlib(take);
  try {
    for (let at = 0; at < packed.length || at === 0; at += kPiece) {
      stream.push(packed.subarray(at, at + kPiece), at + kPiece >= packed.length);
    }
  } catch (error) {
    if (error instanceof FormatError) throw error;
    throw new FormatError(`${name} is damaged: ${(error as Error).message}`);
  }
  return joined(pieces, size);
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  if (pieces.length === 1) return pieces[0] as Uint8Array;
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
