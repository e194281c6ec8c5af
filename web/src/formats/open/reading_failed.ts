// SPDX-License-Identifier: MIT
// Errors of readers on their way to the user: the file's name is added, and long quotations are
// cut.
import { FormatError, MaskflowError } from '../../base/errors.js';
import { type OpenFile, unnamed } from './open_file.js';

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

/** Runs the reader of a file. Errors name the file, unless it is `unnamed`. */
export async function nameInErrors<T>(file: OpenFile, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (problem) {
    const { name } = file;
    const error = asFormatError(problem, name);
    if (error instanceof MaskflowError && name !== unnamed && !error.message.includes(name)) {
      error.message = `${name}: ${error.message}`;
    }
    throw error;
  }
}
