// SPDX-License-Identifier: MIT
// Recognises the sources that are objects: file handles, streams and lists of files. Workers need
// it, too, without the readers.
import { FormatError } from '../../base/errors.js';
import type { NamedFile } from '../../base/model_source.js';

/** Sources of a model, for messages. */
export const kModelSources =
  'a URL, a File or Blob, bytes, a Request, Response or stream, a list of files, a path in Node, or its JSON';

/** Returns whether the value is the handle of a file, as pickers of files return. */
export const isFileHandle = (value: unknown): value is FileSystemFileHandle =>
  typeof (value as Partial<FileSystemFileHandle> | null)?.getFile === 'function';

/** Returns a response with the bytes of a stream. Throws FormatError if it is being read. */
export function responseOf(stream: ReadableStream): Response {
  if (!stream.locked) return new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>);
  throw new FormatError('the stream is already being read; pass a stream that is not locked');
}

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
