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
  /**
   * Whether to keep files that are fetched, or the name of the cache that keeps them. The next
   * load asks the server for a file only if it has changed, and works without a connection. Node
   * keeps files in the folder `MASKFLOW_CACHE` or in the user's cache folder, pages and workers in
   * the Cache API. Default: false. See `storedModels` and `clearStoredModels`.
   */
  cache?: boolean | string;
  /**
   * Address of the hub for sources of the form `hf://owner/repo`. Default: the environment variable
   * `HF_ENDPOINT`, or `https://huggingface.co`.
   */
  hub?: string;
}

/** Names of the options. @internal */
export const sourceOptions = { signal: 1, onProgress: 1, limits: 1, cache: 1, hub: 1 } as const;

/** A model, or a file of one, that is kept on this device. */
export interface StoredModel {
  /** Source for `loadModel`: the address of the server, `opfs://…` or `indexeddb://…`. */
  readonly address: string;
  /** Name of the cache; null for a model that `save` wrote. */
  readonly cache: string | null;
  /** Size of the file. */
  readonly bytes: number;
  /** Time at which it was stored. */
  readonly saved: Date;
}

/** Options of `clearStoredModels`. */
export interface ClearOptions {
  /** The cache to clear, by the value of the option of `loadModel`. Default: all caches. */
  cache?: boolean | string;
  /** The file to remove, by its address. Models that `save` wrote are removed only in this way. */
  address?: string;
}

/** A file, such as one dropped on a page, or the name and the bytes of a file. */
export type NamedFile =
  | File
  | { readonly name: string; readonly data: ArrayBuffer | ArrayBufferView };

/**
 * Source of a model. It is one of:
 *
 * - an address (relative to the page; in Node also a path), or a Request;
 * - a model of the hub of Hugging Face: `hf://owner/repo/file.keras`, or Keras's `hf://owner/repo`;
 * - a model that `save` keeps in the browser: `opfs://name` or `indexeddb://name`;
 * - a file, the handle of a file, its bytes, or a stream of them;
 * - all files of a model that has several (`model.json` and its shards, an architecture and its
 *   weights);
 * - an architecture as JSON, as text or parsed.
 */
export type ModelSource =
  | string
  | URL
  | Blob
  | Request
  | Response
  | ReadableStream<Uint8Array>
  | FileSystemFileHandle
  | ArrayBuffer
  | ArrayBufferView
  | ArrayLike<NamedFile>
  | { readonly files: ArrayLike<NamedFile> }
  | { readonly [key: string]: unknown };
