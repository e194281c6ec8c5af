// SPDX-License-Identifier: MIT
// Any number of threads computes the same bits, in predictions and in training.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { relaxedFlag } from '../../scripts/lib/relaxed-flag.mjs';
import { runNode } from '../support/programs.js';

const flags = relaxedFlag(process.execPath);
const place = (path) => JSON.stringify(String(new URL(path, import.meta.url)));

/** A process starts one module, so each number of threads has its own. */
const bitsOf = (threads) =>
  JSON.parse(
    runNode([
      ...flags,
      '--input-type=module',
      '-e',
      `import * as mf from ${place('../../dist/train.js')};
      import { threadBits } from ${place('../support/thread_bits.js')};
      console.log(JSON.stringify(await threadBits(mf, ${threads})));`,
    ]),
  );

suite('the bits of one thread', () => {
  let expected;
  before(() => {
    expected = bitsOf(1);
    assert.equal(expected.threads, 1);
  });
  for (const threads of [2, 3, 4, 7]) {
    test(`are those of ${threads} threads`, () => {
      const actual = bitsOf(threads);
      assert.equal(actual.threads, threads);
      assert.deepEqual(actual.hashes, expected.hashes);
    });
  }
});

suite('recorded layers and gradients', () => {
  for (const threads of [2, 3]) {
    test(`are reproduced by ${threads} threads`, () => {
      const script = new URL('../support/thread_conformance.js', import.meta.url).pathname;
      const { total, problems, ...facts } = JSON.parse(runNode([script, String(threads)]));
      assert.equal(facts.threads, threads);
      assert.ok(total > 1000, `${total} cases`);
      assert.deepEqual(problems, []);
    });
  }
});
