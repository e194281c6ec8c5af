// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { internals } from '../../support/internals.js';

const checksums = await internals('formats/crc32.ts');

test("the checksum equals zlib's for every length and start address", () => {
  const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * i * 31) >> 3);
  for (const length of [...Array(70).keys(), 4096, 4990]) {
    for (let start = 0; start < 5; start++) {
      const part = bytes.subarray(start, start + length);
      const expected = crc32(part);
      assert.equal(checksums.crc32InScript(part), expected, `${length} bytes from ${start}`);
      assert.equal(checksums.crc32(part), expected);
    }
  }
});

test('a changed byte changes the checksum, wherever it is', () => {
  const bytes = Uint8Array.from({ length: 200 }, (_, i) => i);
  const original = checksums.crc32InScript(bytes);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] ^= 1;
    assert.notEqual(checksums.crc32InScript(bytes), original, `at ${i}`);
    bytes[i] ^= 1;
  }
});
