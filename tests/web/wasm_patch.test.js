// SPDX-License-Identifier: MIT
// Differences between binaries: scripts/build/wasm_patch.mjs writes them, engine/wasm_patch.ts
// applies them.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { difference } from '../../scripts/build/wasm_patch.mjs';
import { internals } from '../support/internals.js';
import { generator } from '../support/random.js';

suite('differences between binaries', () => {
  let patched;
  before(async () => {
    ({ patched } = await internals('engine/wasm_patch.ts'));
  });
  const random = generator(27);
  const below = (limit) => Math.floor(random() * limit);
  const randomBytes = (size) => Buffer.from(Array.from({ length: size }, () => below(256)));

  /** Returns a copy with random parts removed, repeated, moved and changed. */
  function edited(base) {
    let bytes = base;
    for (let edit = below(8); edit >= 0; edit--) {
      const [from, to] = [below(bytes.length + 1), below(bytes.length + 1)].sort((a, b) => a - b);
      const piece = [
        Buffer.alloc(0),
        randomBytes(below(40)),
        bytes.subarray(from, from + below(300)),
        bytes.subarray(from, to).map((byte) => (below(30) ? byte : byte + 1)),
      ][below(4)];
      bytes = Buffer.concat([bytes.subarray(0, from), piece, bytes.subarray(to)]);
    }
    return bytes;
  }

  test('give back the other binary, of any content and size', () => {
    const empty = Buffer.alloc(0);
    const pairs = [
      [empty, empty],
      [empty, randomBytes(100)],
      [randomBytes(100), empty],
      [Buffer.alloc(5000), Buffer.alloc(3001, 1)],
    ];
    for (let i = 0; i < 200; i++) {
      const base = randomBytes(below(2000));
      pairs.push([base, edited(base)]);
    }
    for (const [base, target] of pairs) {
      const result = patched(new Uint8Array(difference(base, target)), new Uint8Array(base));
      assert.ok(result && target.equals(result), `${base.length} to ${target.length} bytes`);
    }
  });

  test('give null for another base, and for damaged bytes, without long loops', () => {
    const base = randomBytes(3000);
    const target = edited(edited(base));
    const whole = difference(base, target);
    const other = Buffer.from(base);
    for (let at = 0; at < other.length; at += 10) other[at] ^= 1;
    assert.equal(patched(new Uint8Array(whole), new Uint8Array(other)), null);
    assert.equal(patched(new Uint8Array(whole), base.subarray(0, 20)), null);
    for (let i = 0; i < 3000; i++) {
      const damaged = new Uint8Array(whole.subarray(0, i % 3 ? whole.length : below(whole.length)));
      for (let k = below(4); k >= 0; k--) damaged[below(damaged.length)] = below(256);
      const result = patched(damaged, new Uint8Array(base));
      // A change that has no effect is possible.
      assert.ok(result === null || target.equals(result));
    }
    const huge = [255, 255, 255, 255, 255, 255, 255, 127];
    for (let place = 0; place < 5; place++) {
      const numbers = [[100], [0], [1], [1], [1]].map((one, i) => (i === place ? huge : one));
      assert.equal(patched(new Uint8Array(numbers.flat()), new Uint8Array(base)), null);
    }
  });
});
