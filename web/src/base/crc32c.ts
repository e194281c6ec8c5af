// SPDX-License-Identifier: MIT
// The checksum of TensorFlow's files: CRC-32C (Castagnoli), not the CRC-32 of zip.
const kPolynomial = 0x82f63b78;
const kMask = 0xa282ead8;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ kPolynomial : value >>> 1;
  return value >>> 0;
});

/** Returns the checksum of the bytes in the masked form of TensorFlow. */
export function maskedChecksum(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 255] as number);
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + kMask) >>> 0;
}
