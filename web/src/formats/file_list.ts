// SPDX-License-Identifier: MIT
import type { NamedFile } from './source.js';

/** For messages. */
export const kModelSources =
  'a URL, a File or Blob, bytes, a list of files, a path in Node, or its JSON';

const kMostFiles = 100_000;

/** Something like an array, with no more in it than a model has files. */
export function isFileList(value: unknown): value is ArrayLike<NamedFile> {
  const { length } = Object(value) as { length?: unknown };
  return typeof value === 'object' && Number.isInteger(length) && (length as number) <= kMostFiles;
}
