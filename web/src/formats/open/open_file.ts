// SPDX-License-Identifier: MIT
// The types of an opened source, and the checks that every way of opening shares.
import { FormatError } from '../../base/errors.js';
import type { SourceOptions } from '../../base/model_source.js';
import type { Budget } from './budget.js';

/** Name for bytes without a file name in messages. */
export const unnamed = 'the file';

/** Addresses of the hub and of places of the browser, which storage/ opens. */
export const kStored = /^(hf|opfs|indexeddb):\/\//;

/** Returns whether the address names a place of TensorFlow.js. */
export const isTfjsScheme = (address: unknown): boolean =>
  /^(localstorage|downloads):\/\//.test(String(address));

/** Returns whether the address names a place of the browser, to which `save` can write. */
export const isPlace = (address: string): boolean => /^(opfs|indexeddb):\/\//.test(address);

/** Files that name the others of their folder. */
export const kMainFiles = ['model.json', 'keras_metadata.pb', 'saved_model.pb'];

/** A file whose bytes are in memory. */
export interface OpenFile {
  /** Address, path or name, for messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Limits of this file and of the files beside it. */
  readonly budget: Budget;
  /** JSON that the caller passed as an object; `bytes` is then empty. */
  readonly json?: unknown;
  /** The other files, if the caller passed several. */
  readonly others?: readonly OtherFile[];
  /** The files of a `.keras` archive, if they are stored one by one; `bytes` is then its config. */
  readonly archive?: FileSet;
  /**
   * Opens the file at a path relative to this one. Throws FormatError if it is missing or above
   * `maxBytes`.
   */
  sibling(path: string, maxBytes: number): Promise<OpenFile>;
  /** Opens the file again if a program has replaced it since; returns undefined otherwise. */
  replacement?(): Promise<OpenFile | undefined>;
  /** Tells the cache that the model is loaded with all files of this version. */
  complete?(): Promise<void>;
}

/** Files by name, as in an archive. */
export interface FileSet {
  readonly names: readonly string[];
  /** Returns the content of a file, or undefined without a file of that name. */
  unpack(name: string): Promise<Uint8Array | undefined>;
}

export interface OtherFile {
  readonly name: string;
  open(): Promise<OpenFile>;
}

/** Settings for opening a file. */
export interface Opening extends SourceOptions {
  readonly budget: Budget;
  /** Facts about this load. The cache keeps those of the first file, which names the others. */
  readonly load: { cached?: { complete(): Promise<void> } };
  /**
   * Largest size of a shard; undefined for a model's main file, whose format is checked instead.
   */
  readonly maxBytes?: number | undefined;
  /** Throws FormatError if a main file with these first bytes is of another format. */
  readonly checkHead: (bytes: Uint8Array, name: string) => unknown;
  /** The answer for a main file that the caller has asked a server for. */
  readonly response?: Promise<Response> | undefined;
}

/** A file that was fetched, or that a cache had. */
export interface FetchedFile {
  /** Address after redirects. */
  readonly address: string;
  readonly bytes: Uint8Array;
}

/** The answer of a server, before its body is read. */
export interface Answer {
  readonly response: Response;
  /** Reads the file. Throws FormatError if the server answered with an error. */
  read(): Promise<FetchedFile>;
}

/** Requests a file with further headers. Throws FormatError without a connection. */
export type Download = (headers: { readonly [name: string]: string }) => Promise<Answer>;

/** `fetchFile` of fetch_file.ts. */
export type FetchFile = (source: string | URL, opening: Opening) => Promise<OpenFile>;

/** Throws FormatError if a file is above its limits. Call it before reading the file. */
export function checkSize(size: number, file: string, { maxBytes, budget }: Opening): void {
  if (size > budget.bytesLeft) budget.read(size, file);
  if (maxBytes !== undefined && size > maxBytes) {
    throw new FormatError(
      `${file} has at least ${size} bytes, but its weights need ${maxBytes}; check that it belongs to this model.json`,
    );
  }
}

/** Returns the path. Throws FormatError if it leaves the folder of the file. */
export function checkBeside(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/');
  const leaves = parts[0] === '' || parts.includes('..') || (parts[0] as string).includes(':');
  if (!leaves && !path.includes('\0')) return path;
  throw new FormatError(
    `the file refers to '${path}', which is outside its folder; only files beside it are read`,
  );
}
