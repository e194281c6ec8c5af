// SPDX-License-Identifier: MIT
// What callers say of the files of a model. Reading them is done in formats/.

/**
 * How much a file may cost to read. What goes beyond is a FormatError that names the limit and the number. Each may be raised for a
 * file that is trusted, `Infinity` for no limit.
 */
export interface Limits {
  /** Bytes of all files of a model together, and of what is unpacked from them. Default: 4 GiB. */
  bytes?: number;
  /** How many times its packed size a file may unpack to, beyond 64 MiB that are always allowed. Default: 20; inputs and recordings 200. */
  ratio?: number;
  /** Bytes of text: configurations, names, attributes. Default: 64 MiB; inputs and recordings 1 GiB. */
  text?: number;
  /** Parts of files: entries of archives, groups, attributes, arrays and their pieces, shards. Default: a million. */
  entries?: number;
  /** Values of JSON: keys, items of lists, objects. Default: a million; inputs and recordings a hundred million. */
  nodes?: number;
  /** Losses and metrics of a compile configuration. Default: 1000. */
  metrics?: number;
  /** Thresholds of all those metrics together, and cells of confusion matrices: each costs in every batch. Default: two million. */
  thresholds?: number;
  /** How deep objects and lists, or groups, may stand inside each other. Default: 150; at most 1000. */
  depth?: number;
  /**
   * Milliseconds of work in this thread, without the time that files take to come. Default: 600,000. It is looked at between pieces of
   * work; a limit that holds in every case is that of a worker, `openWorker({ timeLimit })`.
   */
  milliseconds?: number;
}

/** How far the reading of a file is. */
export interface Progress {
  /** Bytes so far. */
  loaded: number;
  /** Bytes in all; null when the server does not say. */
  total: number | null;
  /** Which file: a model of several has several. */
  file: string;
}

export interface SourceOptions {
  /** Called while files are fetched. May be async; an error ends the loading. */
  onProgress?: (progress: Progress) => unknown;
  /** Stops the fetching and reading; the promise fails with the signal's reason. */
  signal?: AbortSignal;
  /** How much the file may cost to read; see {@link Limits}. */
  limits?: Limits;
}

/** A file by name, such as one that was dropped on a page. */
export type NamedFile =
  | File
  | { readonly name: string; readonly data: ArrayBuffer | ArrayBufferView };

/**
 * Where a model comes from: an address (relative to the page; in Node also a path), the file itself, its bytes, all
 * files of a model that has several (`model.json` and its shards, an architecture and its weights), or an architecture
 * as JSON, text or parsed.
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
