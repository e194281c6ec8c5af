// SPDX-License-Identifier: MIT
// Compares the numbers of the page's chapters with those that Keras computed.
import assert from 'node:assert/strict';

/**
 * Asserts that nested numbers equal the recorded ones ('NaN' for NaN), within the rounding of
 * float32.
 */
export function sameNumbers(actual, expected, where) {
  if (Array.isArray(expected)) {
    assert.equal(actual.length, expected.length, where);
    expected.forEach((each, index) => {
      sameNumbers(actual[index], each, `${where}[${index}]`);
    });
  } else if (expected === 'NaN') assert.ok(Number.isNaN(actual), `${where}: ${actual}, not NaN`);
  else assert.ok(Math.abs(actual - expected) < 2e-6, `${where}: ${actual}, ${expected}`);
}
