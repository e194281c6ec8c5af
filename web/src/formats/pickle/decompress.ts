// SPDX-License-Identifier: MIT
// Pickles that joblib compressed. zip/inflate.ts serves archives, whose sizes are known before.
import { Gunzip, Unzlib } from 'fflate';
import { joinBytes } from '../../base/array.js';
import { FormatError } from '../../base/errors.js';
import { type Budget, inPieces } from '../open/budget.js';

/** Bytes that are decompressed at a time; each becomes at most 1,032 bytes. */
const kPiece = 16384;

/** First bytes of compressed files; zlib has no fixed ones. */
const ways = [
  ['gzip', [0x1f, 0x8b]],
  ['bz2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['lzma', [0x5d, 0x00, 0x00]],
  ['lz4', [0x04, 0x22, 0x4d, 0x18]],
] as const;

/** Returns the name of the compression; undefined if the bytes are not compressed. */
export function compressionOf(bytes: Uint8Array): string | undefined {
  const way = ways.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte));
  if (way) return way[0];
  const [first = 0, second = 0] = bytes;
  return first === 0x78 && (256 * first + second) % 31 === 0 ? 'zlib' : undefined;
}

/** Decompresses zlib and gzip, as joblib writes them; other bytes are returned as they are. */
export async function decompressed(
  bytes: Uint8Array,
  name: string,
  budget: Budget,
): Promise<Uint8Array> {
  const way = compressionOf(bytes);
  if (way === undefined) return bytes;
  if (way === 'zlib' || way === 'gzip') return inPieces(pieces(bytes, way, name, budget), budget);
  throw new FormatError(
    `${name} is compressed with ${way}: save it again with joblib.dump(object, path) or pickle.dump`,
  );
}

function* pieces(
  bytes: Uint8Array,
  way: 'zlib' | 'gzip',
  name: string,
  budget: Budget,
): Generator<void, Uint8Array> {
  const results: Uint8Array[] = [];
  const add = (piece: Uint8Array): void => {
    budget.unpack(piece.length, name);
    results.push(piece);
  };
  const stream = way === 'gzip' ? new Gunzip(add) : new Unzlib(add);
  for (let at = 0; at < bytes.length; at += kPiece) {
    try {
      stream.push(bytes.subarray(at, at + kPiece), at + kPiece >= bytes.length);
    } catch (error) {
      if (error instanceof FormatError) throw error;
      throw new FormatError(`${name} is damaged: ${(error as Error).message}`);
    }
    yield;
  }
  return joinBytes(results);
}
