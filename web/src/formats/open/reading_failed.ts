// SPDX-License-Identifier: MIT
import { FormatError, MaskflowError } from '../../base/errors.js';

const kLongest = 20_000;

/** Messages quote names, which a file may make as long as it likes. */
export function shortened(error: unknown): unknown {
  if (error instanceof MaskflowError && error.message.length > kLongest) {
    const left = error.message.length - kLongest;
    error.message = `${error.message.slice(0, kLongest)} … and ${left} characters more`;
  }
  return error;
}

/** What a reader failed with. An engine that has no memory left, or no stack, says so with a RangeError. */
export function readingFailed(error: unknown, name: string): unknown {
  if (!(error instanceof RangeError)) return error;
  return new FormatError(`${name} needs more memory than there is: ${error.message}`);
}
