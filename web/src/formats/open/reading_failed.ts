// SPDX-License-Identifier: MIT
import { FormatError, MaskflowError } from '../../base/errors.js';

/** Longest message, in characters. */
const kMaxLength = 20_000;

/** Shortens a message: it quotes names from the file, which may be of any length. */
export function shortenMessage(error: unknown): unknown {
  if (error instanceof MaskflowError && error.message.length > kMaxLength) {
    const omitted = error.message.length - kMaxLength;
    error.message = `${error.message.slice(0, kMaxLength)} … and ${omitted} characters more`;
  }
  return error;
}

/** Converts the RangeError that an engine throws without memory or stack to a FormatError. */
export function asFormatError(error: unknown, name: string): unknown {
  if (!(error instanceof RangeError)) return error;
  return new FormatError(`${name} needs more memory than is available: ${error.message}`);
}
