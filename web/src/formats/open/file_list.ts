// SPDX-License-Identifier: MIT
import type { NamedFile } from '../../base/model_source.js';

/** For messages. */
export const kModelSources =
  'a URL, a File or Blob, bytes, a list of files, a path in Node, or its JSON';

const kMostFiles = 100_000;

/** Something like an array, with no more in it than a model has files. */
export function isFileList(value: unknown): value is ArrayLike<NamedFile> {
  if (typeof value !== 'object' || value === null) return false;
  const length = lengthOf(value);
  return Number.isInteger(length) && (length as number) <= kMostFiles;
}

function lengthOf(value: object): unknown {
  try {
    return (value as { length?: unknown }).length;
  } catch {
    // A proxy around bytes has a length that cannot be read.
    return undefined;
  }
}
