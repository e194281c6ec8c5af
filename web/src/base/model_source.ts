// SPDX-License-Identifier: MIT
// Sources of model files and options of reading them; formats/ reads them.

/**
 * Limits on the cost of reading a file. A file that exceeds one fails with a FormatError that names
 * the limit and the number. Raise a limit for files that you trust; `Infinity` means no limit.
 */
export interface Limits {
  /** Bytes of all files of a model, and of the data unpacked from them. Default: 4 GiB. */
  bytes?: number;
  /**
   * Unpacked size as a multiple of the packed size; 64 MiB are always allowed. Default: 20; for
   * inputs and recordings 200.
   */
  ratio?: number;
  /**
   * Bytes of text: configurations, names, attributes. Default: 64 MiB; for inputs and recordings 1
   * GiB.
   */
  text?: number;
  /**
   * Parts of files: archive entries, groups, attributes, arrays, chunks, shards. Default:
   * 1,000,000.
   */
  entries?: number;
  /**
   * Values of JSON: keys, items of lists, objects. Default: 1,000,000; for inputs and recordings
   * 100,000,000.
   */
  nodes?: number;
  /** Losses and metrics of a compile configuration. Default: 1000. */
  metrics?: number;
  /**
   * Thresholds of all metrics together, and cells of confusion matrices: each adds work to every
   * batch. Default: 2,000,000.
   */
  thresholds?: number;
  /** Nesting depth of objects and lists, or of groups. Default: 150; at most 1000. */
  depth?: number;
  /**
   * Milliseconds of work in this thread, not counting the time to fetch files. Default: 600,000. It
   * is checked between pieces of work; for a strict limit, use `openWorker({ timeLimit })`.
   */
  milliseconds?: number;
}

/** Progress of fetching a file. */
export interface Progress {
  /** Bytes fetched so far. */
  loaded: number;
  /** Bytes in total; null if the server does not report it. */
  total: number | null;
  /** Name of the file: a model may have several. */
  file: string;
}

/** Options of functions that fetch and read files. */
export interface SourceOptions {
  /** Called while files are fetched. May be async; an error stops the loading. */
  onProgress?: (progress: Progress) => unknown;
  /** Stops fetching and reading; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Limits on the cost of reading the file; see {@link Limits}. */
  limits?: Limits;
}

/** A file, such as one dropped on a page, or the name and the bytes of a file. */
export type NamedFile =
  | File
  | { readonly name: string; readonly data: ArrayBuffer | ArrayBufferView };

/**
 * Source of a model. It is one of:
 *
 * - an address (relative to the page; in Node also a path);
 * - a file or its bytes;
 * - all files of a model that has several (`model.json` and its shards, an architecture and its
 *   weights);
 * - an architecture as JSON, as text or parsed.
 */
export type ModelSource =
  | string
  | URL
  | Blob
  | Response
  | ArrayBuffer
  | ArrayBufferView
  | ArrayLike<NamedFile>
  | { readonly files: ArrayLike<NamedFile> }
  | { readonly [key: string]: unknown };
