// SPDX-License-Identifier: MIT
// Reading of untrusted HDF5 bytes. Everything in hdf5/ reads through a cursor, which checks each
// address and counts each read against `limits`.
import { FormatError } from '../../base/errors.js';
import { Budget } from '../open/budget.js';
import { decodeUtf8 } from '../../engine/utf8.js';

/**
 * Number of reads allowed for each entry of the budget. An array needs about three hundred reads in
 * all; a file with a circular structure would never stop.
 */
const kReadsPerEntry = 10;

/** The undefined address. */
const kUndefined = -1;

/**
 * The bytes of a file, the sizes that its superblock sets, and the number of reads still allowed.
 */
export class FileBytes {
  readonly view: DataView;
  offsetSize = 8;
  lengthSize = 8;
  /** The heaps of strings read so far, by address. */
  readonly heaps = new Map<number, ReadonlyMap<number, Uint8Array>>();
  #reads: number;

  constructor(
    readonly bytes: Uint8Array,
    readonly budget: Budget = new Budget(),
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#reads = kReadsPerEntry * budget.limits.entries + bytes.length / 16;
  }

  /** Counts a read. */
  spend(): void {
    this.budget.tick();
    if (this.#reads-- > 0) return;
    throw damaged('its structure is circular or exceeds limits.entries');
  }

  /** Counts a part of the structure: a link, an attribute, a chunk … */
  entry(): void {
    this.budget.spend('entries', 1, 'the HDF5 file');
  }

  /** Decodes text up to the first zero byte. */
  text(bytes: Uint8Array): string {
    const end = bytes.indexOf(0);
    const content = end < 0 ? bytes : bytes.subarray(0, end);
    this.budget.spend('text', content.length, 'names and texts in the HDF5 file');
    return decodeUtf8(content);
  }

  /**
   * Returns a cursor over `length` bytes from `at`. Throws FormatError if they are not in the file.
   */
  cursor(at: number, length = this.bytes.length - at): Cursor {
    if (at < 0 || length < 0 || at + length > this.bytes.length) {
      throw damaged(
        `it needs ${length} bytes at ${at}, but ends at ${this.bytes.length}; fetch it again`,
      );
    }
    return new Cursor(this, at, at + length);
  }
}

/** Reads forward in a range of the file, and never outside of it. */
export class Cursor {
  constructor(
    readonly file: FileBytes,
    public at: number,
    readonly end: number,
  ) {}

  /** Number of bytes up to the end of the range. */
  get remaining(): number {
    return this.end - this.at;
  }

  /** Skips `size` bytes and returns the address of the first one. */
  take(size: number): number {
    this.file.spend();
    const from = this.at;
    if (size > this.remaining) {
      throw damaged(`it needs ${size} bytes at ${from}, but only ${this.remaining} are left`);
    }
    this.at += size;
    return from;
  }

  skip(size: number): this {
    this.take(size);
    return this;
  }
  u8(): number {
    return this.file.view.getUint8(this.take(1));
  }
  u16(): number {
    return this.file.view.getUint16(this.take(2), true);
  }
  u32(): number {
    return this.file.view.getUint32(this.take(4), true);
  }
  u64(): number {
    const low = this.u32();
    return this.u32() * 2 ** 32 + low;
  }
  /** Reads an unsigned number of 1, 2, 4 or 8 bytes. */
  uint(size: number): number {
    if (size === 8) return this.u64();
    if (size === 4) return this.u32();
    if (size === 2) return this.u16();
    if (size === 1) return this.u8();
    throw damaged(`a number has ${size} bytes instead of 1, 2, 4 or 8`);
  }
  /** Reads an address; -1 for the undefined address. */
  address(): number {
    const { offsetSize } = this.file;
    const value = this.uint(offsetSize);
    return value >= 2 ** (8 * offsetSize) - 1 ? kUndefined : value;
  }
  /** Reads a length. */
  length(): number {
    return this.uint(this.file.lengthSize);
  }
  bytes(size: number): Uint8Array {
    const from = this.take(size);
    return this.file.bytes.subarray(from, from + size);
  }
  /** Returns a cursor over the next `size` bytes. */
  part(size: number): Cursor {
    const from = this.take(size);
    return new Cursor(this.file, from, from + size);
  }
  /** Reads a signature; throws FormatError if it differs. */
  expect(signature: string, what: string): this {
    const bytes = this.bytes(signature.length);
    if (bytes.some((byte, i) => byte !== signature.charCodeAt(i))) {
      throw damaged(`${what} at ${this.at - signature.length} does not start with '${signature}'`);
    }
    return this;
  }
}

/** The error for a damaged file; `what` is a sentence about the damage. */
export function damaged(what: string): FormatError {
  return new FormatError(`the HDF5 file is damaged: ${what}`);
}
