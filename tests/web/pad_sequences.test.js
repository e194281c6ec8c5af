// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { readFixture } from '../support/recorded_cases.js';

before(() => mf.ready());

const { cases } = readFixture('utils/pad_sequences.json');

for (const { name, sequences, kwargs, expect } of cases) {
  test(`pad_sequences: ${name}`, () => {
    // JSON does not distinguish Python's 3.0 from 3.
    const options = name === 'maxlen_float' ? { ...kwargs, maxlen: 3.5 } : kwargs;
    if (expect.error) {
      assert.throws(() => mf.padSequences(sequences, options), mf.MaskflowError);
      return;
    }
    const result = mf.padSequences(sequences, options);
    assert.deepEqual(result.shape, expect.shape);
    assert.equal(result.dtype, expect.dtype);
    assert.deepEqual(result.array(), expect.values);
  });
}
