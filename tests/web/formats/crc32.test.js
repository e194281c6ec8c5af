// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { internals } from '../../support/internals.js';

const ours = await internals('formats/crc32.ts');

test('the checksum is that of zlib, for every length and from every address', () => {
  const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * i * 31) >> 3);
  for (const length of [...Array(70).keys(), 4096, 4990]) {
    for (let start = 0; start < 5; start++) {
      const part = bytes.subarray(start, start + length);
      const expected = crc32(part);
      assert.equal(ours.crc32InScript(part), expected, `${length} bytes from ${start}`);
      assert.equal(ours.crc32(part), expected);
    }
  }
});

test('a byte that changed is told, wherever it stands', () => {
  const bytes = Uint8Array.from({ length: 200 }, (_, i) => i);
  const before = ours.crc32InScript(bytes);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] ^= 1;
    assert.notEqual(ours.crc32InScript(bytes), before, `at ${i}`);
    bytes[i] ^= 1;
  }
});
