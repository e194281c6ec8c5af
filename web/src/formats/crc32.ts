// SPDX-License-Identifier: MIT
// Checksums of zip archives and of cached files, in JavaScript where the platform has none.

import { nodeModule } from '../engine/node_module.js';

const kSlices = 16;

/** `tables[k * 256 + byte]` is the effect of a byte on the checksum if k more bytes follow it. */
const tables = new Int32Array(kSlices * 256);
for (let n = 0; n < 256; n++) {
  let value = n;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  tables[n] = value;
}
for (let n = 256; n < tables.length; n++) {
  const before = tables[n - 256] as number;
  tables[n] = (before >>> 8) ^ (tables[before & 255] as number);
}

/** Effect of the four bytes of a word on the checksum if `following` more bytes follow them. */
const fold = (word: number, following: number): number =>
  (tables[(following + 3) * 256 + (word & 255)] as number) ^
  (tables[(following + 2) * 256 + ((word >>> 8) & 255)] as number) ^
  (tables[(following + 1) * 256 + ((word >>> 16) & 255)] as number) ^
  (tables[following * 256 + (word >>> 24)] as number);

/** Continues the checksum `crc` byte by byte. */
function bytewise(crc: number, bytes: Uint8Array, from: number, to: number): number {
  let value = crc;
  for (let at = from; at < to; at++) {
    value = (value >>> 8) ^ (tables[(value ^ (bytes[at] as number)) & 255] as number);
  }
  return value;
}

/** Computes the checksum sixteen bytes at a time, in aligned words of four. @internal */
export function crc32InScript(bytes: Uint8Array): number {
  const first = Math.min(bytes.length, -bytes.byteOffset & 3);
  const count = (bytes.length - first) >>> 2;
  const words = new Int32Array(bytes.buffer, count > 0 ? bytes.byteOffset + first : 0, count);
  let crc = bytewise(-1, bytes, 0, first);
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    crc =
      fold(crc ^ (words[i] as number), 12) ^
      fold(words[i + 1] as number, 8) ^
      fold(words[i + 2] as number, 4) ^
      fold(words[i + 3] as number, 0);
  }
  return ~bytewise(crc, bytes, first + 4 * i, bytes.length) >>> 0;
}

interface Zlib {
  crc32?(bytes: Uint8Array): number;
}

/** The CRC-32 of zip, PNG and gzip. Uses Node's, which is machine code, if there is one. */
export function crc32(bytes: Uint8Array): number {
  return nodeModule<Zlib>('node:zlib')?.crc32?.(bytes) ?? crc32InScript(bytes);
}
