// SPDX-License-Identifier: MIT
// Decompression within the limits, for zip archives and chunks of HDF5. pickle/decompress.ts is for
// data of unknown size.
import { Inflate, Unzlib } from 'fflate';
import { joinBytes } from '../../base/array.js';
import { FormatError } from '../../base/errors.js';
import type { Budget } from '../open/budget.js';

/**
 * Bytes that are decompressed at a time. A byte of DEFLATE becomes at most 1,032 bytes, so data
 * that exceeds its size is stopped after one piece.
 */
const kPiece = 16384;

/** Compressed data. */
export interface CompressedData {
  readonly bytes: Uint8Array;
  /** Whether DEFLATE comes without a header or with zlib's. */
  readonly wrap: 'raw' | 'zlib';
  /** Largest size of the result in bytes. */
  readonly maxSize: number;
  /** Name of the data in messages. */
  readonly name: string;
  /** Whether the budget already counted the result. */
  readonly isCounted?: boolean;
}

/** Decompresses data in pieces of work. Throws FormatError if it is damaged or exceeds its size. */
export function* inflate(data: CompressedData, budget: Budget): Generator<void, Uint8Array> {
  const { bytes, wrap, maxSize, name, isCounted } = data;
  if (!isCounted) budget.unpack(maxSize, name);
  const pieces: Uint8Array[] = [];
  let size = 0;
  const add = (piece: Uint8Array): void => {
    size += piece.length;
    if (size > maxSize) {
      throw new FormatError(
        `${name} decompresses to more than the ${maxSize} bytes that the file states`,
      );
    }
    pieces.push(piece);
  };
  const stream = wrap === 'raw' ? new Inflate(add) : new Unzlib(add);
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
