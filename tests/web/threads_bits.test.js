// SPDX-License-Identifier: MIT
// Any number of threads computes the same bits, in predictions and in training.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { relaxedFlag } from '../../scripts/lib/relaxed-flag.mjs';
import { runNode } from '../support/programs.js';

const flags = relaxedFlag(process.execPath);
const place = (path) => JSON.stringify(String(new URL(path, import.meta.url)));

/** A process starts one module, so each number of threads has its own. */
const bitsOf = (threads, variant) =>
  JSON.parse(
    runNode([
      ...flags,
      '--input-type=module',
      '-e',
      `import * as mf from ${place('../../dist/train.js')};
      import { threadBits } from ${place('../support/thread_bits.js')};
      console.log(JSON.stringify(await threadBits(mf, ${threads}, '${variant}')));`,
    ]),
  );

const counts = { relaxed: [2, 3, 4, 7], simd: [2, 3, 4] };
const expected = {};
for (const variant of Object.keys(counts)) {
  suite(`the bits of one thread, ${variant}`, () => {
    before(() => {
      expected[variant] = bitsOf(1, variant);
      assert.equal(expected[variant].threads, 1);
    });
    for (const threads of counts[variant]) {
      test(`are those of ${threads} threads`, () => {
        const actual = bitsOf(threads, variant);
        assert.equal(actual.threads, threads);
        assert.deepEqual(actual.hashes, expected[variant].hashes);
      });
    }
  });
}

test('the variants differ in their bits, so each is compared with itself', () => {
  assert.notDeepEqual(expected.simd.hashes, expected.relaxed.hashes);
});

suite('recorded layers and gradients', () => {
  for (const [threads, variant] of [
    [2, 'relaxed'],
    [3, 'relaxed'],
    [2, 'simd'],
  ]) {
    test(`are reproduced by ${threads} threads, ${variant}`, () => {
      const script = new URL('../support/thread_conformance.js', import.meta.url).pathname;
      const output = runNode([script, String(threads), variant]);
      const { total, problems, ...facts } = JSON.parse(output);
      assert.deepEqual(facts, { threads, variant });
      assert.ok(total > 1000, `${total} cases`);
      assert.deepEqual(problems, []);
    });
  }
});
