// SPDX-License-Identifier: MIT
// Messages of errors, for tests that run the remedies in them.
import assert from 'node:assert/strict';
import { MaskflowError } from '../../dist/train.js';

/** Returns the message of what a call throws. */
export function messageOf(run) {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof MaskflowError, String(error));
    return error.message;
  }
  return assert.fail('nothing was thrown');
}
