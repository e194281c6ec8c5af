// SPDX-License-Identifier: MIT
import { Inflate, Unzlib } from 'fflate';
import { joinBytes } from '../../base/array.js';
import { FormatError } from '../../base/errors.js';
import type { Budget } from '../open/budget.js';

// A byte of DEFLATE makes at most 1032. Fed in pieces, what does not end where it says is caught before it
// has cost more than a piece's worth.
const kPiece = 16384;

/** What is to be unpacked. */
export interface Packed {
  readonly bytes: Uint8Array;
  /** Bare, or with zlib's header. */
  readonly wrap: 'raw' | 'zlib';
  /** At most so many bytes come out. */
  readonly most: number;
  /** For messages. */
  readonly name: string;
  /** Was it counted as unpacked already? */
  readonly counted?: boolean;
}

/** What DEFLATE made of it, in pieces of work. FormatError when it is damaged or makes more. */
export function* inflating(packed: Packed, budget: Budget): Generator<void, Uint8Array> {
  const { bytes, wrap, most, name, counted } = packed;
  if (!counted) budget.unpack(most, name);
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
  for (let at = 0; at < bytes.length || at === 0; at += kPiece) {
    try {
      stream.push(bytes.subarray(at, at + kPiece), at + kPiece >= bytes.length);
    } catch (error) {
      if (error instanceof FormatError) throw error;
      throw new FormatError(`${name} is damaged: ${(error as Error).message}`);
    }
    yield;
  }
  return joinBytes(pieces);
}
