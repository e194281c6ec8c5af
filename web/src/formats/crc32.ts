// SPDX-License-Identifier: MIT

const kSlices = 8;

/** `tables[k * 256 + byte]`: what a byte does to the checksum when k more bytes follow it. */
const tables = new Uint32Array(kSlices * 256);
for (let n = 0; n < 256; n++) {
  let value = n;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  tables[n] = value;
}
for (let n = 256; n < tables.length; n++) {
  const before = tables[n - 256] as number;
  tables[n] = (before >>> 8) ^ (tables[before & 255] as number);
}

const step = (following: number, word: number, shift: number): number =>
  tables[following * 256 + ((word >>> shift) & 255)] as number;

/** The checksum of zip, PNG and gzip. Eight bytes at a time: megabytes of weights go through it. */
export function crc32(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let crc = -1;
  let at = 0;
  for (const last = bytes.length - kSlices; at <= last; at += kSlices) {
    const low = crc ^ view.getUint32(at, true);
    const high = view.getUint32(at + 4, true);
    crc =
      step(7, low, 0) ^
      step(6, low, 8) ^
      step(5, low, 16) ^
      step(4, low, 24) ^
      step(3, high, 0) ^
      step(2, high, 8) ^
      step(1, high, 16) ^
      step(0, high, 24);
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ step(0, crc ^ (bytes[at] as number), 0);
  return ~crc >>> 0;
}
