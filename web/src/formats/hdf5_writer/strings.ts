// SPDX-License-Identifier: MIT
// Strings of variable length, the form in which h5py stores Python's `str`: "Global Heap" in the
// HDF5 File Format Specification.
import { ByteWriter } from '../byte_writer.js';
import type { FileParts } from './file_parts.js';
import { encodeUtf8 } from '../../engine/utf8.js';

/** Smallest size of a collection in libhdf5, in bytes. */
const kMinSize = 4096;
/** Header of a collection, in bytes. */
const kHeader = 16;
/** Header of each string and of the free space, in bytes. */
const kObject = 16;
/** Largest index of a string in a collection: 16 bits. Index 0 marks the free space. */
const kMaxObjects = 65535;

const padded = (size: number): number => size + ((8 - (size % 8)) % 8);

/**
 * Writes strings of variable length to global heap collections. Starts another collection when the
 * current one is full.
 */
export class StringHeap {
  readonly #file: FileParts;
  #objects = new ByteWriter();
  #count = 0;
  #size = 0;
  #at = 0;

  constructor(file: FileParts) {
    this.#file = file;
  }

  /** Adds a string and returns the 16 bytes that refer to it. */
  add(text: string): Uint8Array {
    const bytes = encodeUtf8(text);
    if (bytes.length === 0) return new Uint8Array(16);
    const needed = kObject + padded(bytes.length);
    if (this.#size - kHeader - this.#objects.length < needed || this.#count === kMaxObjects) {
      this.#open(needed);
    }
    this.#count++;
    this.#objects.u16(this.#count, 0).zeros(4).u64(bytes.length).raw(bytes).align();
    return new ByteWriter().u32(bytes.length).u64(this.#at).u32(this.#count).done();
  }

  #open(needed: number): void {
    this.close();
    this.#size = Math.max(kMinSize, kHeader + needed);
    this.#at = this.#file.reserve(this.#size);
  }

  /** Writes the current collection to the file. Does nothing if it has not been started. */
  close(): void {
    if (this.#size === 0) return;
    const out = new ByteWriter().text('GCOL').u8(1).zeros(3).u64(this.#size);
    out.raw(this.#objects.done());
    const free = this.#size - out.length;
    if (free >= kObject) out.u16(0, 0).zeros(4).u64(free);
    this.#file.fill(this.#at, out.done());
    this.#objects = new ByteWriter();
    this.#count = 0;
    this.#size = 0;
  }
}
