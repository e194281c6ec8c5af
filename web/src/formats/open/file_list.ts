// SPDX-License-Identifier: MIT
import type { NamedFile } from '../../base/model_source.js';

/** Sources of a model, for messages. */
export const kModelSources =
  'a URL, a File or Blob, bytes, a list of files, a path in Node, or its JSON';

/** Longest list that is accepted. */
const kMaxFiles = 100_000;

/** Returns whether the value is array-like and no longer than a model's list of files can be. */
export function isFileList(value: unknown): value is ArrayLike<NamedFile> {
  if (typeof value !== 'object' || value === null) return false;
  const length = lengthOf(value);
  return Number.isInteger(length) && (length as number) <= kMaxFiles;
}

function lengthOf(value: object): unknown {
  try {
    return (value as { length?: unknown }).length;
  } catch {
    // The length of a Proxy around a typed array cannot be read.
    return undefined;
  }
}
