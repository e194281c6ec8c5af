// SPDX-License-Identifier: MIT
import { FormatError } from '../../base/errors.js';
import { Budget } from '../open/budget.js';
import { decodeUtf8 } from '../../engine/utf8.js';

// Reads of structure that a part of a file may cost. An array needs about three hundred in all; a file whose structure runs in
// circles would never stop.
const kReadsPerEntry = 10;

/** An address that stands for nothing. */
const kNowhere = -1;

/** The bytes of a file with the widths that its superblock sets, and how often it may still be read. */
export class FileBytes {
  readonly view: DataView;
  offsetSize = 8;
  lengthSize = 8;
  /** What is known of heaps of strings, by their addresses. */
  readonly heaps = new Map<number, ReadonlyMap<number, Uint8Array>>();
  #reads: number;

  constructor(
    readonly bytes: Uint8Array,
    readonly budget: Budget = new Budget(),
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#reads = kReadsPerEntry * budget.limits.entries + bytes.length / 16;
  }

  spend(): void {
    this.budget.tick();
    if (this.#reads-- > 0) return;
    throw damaged('its structure runs in circles, or is beyond limits.entries');
  }

  /** A part of the structure: a link, an attribute, a piece of an array … */
  entry(): void {
    this.budget.spend('entries', 1, 'the HDF5 file');
  }

  /** Text up to the first zero byte. */
  text(bytes: Uint8Array): string {
    const end = bytes.indexOf(0);
    const used = end < 0 ? bytes : bytes.subarray(0, end);
    this.budget.spend('text', used.length, 'names and texts in the HDF5 file');
    return decodeUtf8(used);
  }

  cursor(at: number, length = this.bytes.length - at): Cursor {
    if (at < 0 || length < 0 || at + length > this.bytes.length) {
      throw damaged(
        `${length} bytes are wanted at ${at}, but the file ends at ${this.bytes.length}; it is cut short or not intact`,
      );
    }
    return new Cursor(this, at, at + length);
  }
}

/** Reads forward between two places of a file, and never outside of them. */
export class Cursor {
  constructor(
    readonly file: FileBytes,
    public at: number,
    readonly end: number,
  ) {}

  get left(): number {
    return this.end - this.at;
  }

  /** Where the next `size` bytes begin; goes past them. */
  take(size: number): number {
    this.file.spend();
    const from = this.at;
    if (size > this.left) {
      throw damaged(`${size} bytes are wanted at ${from}, where ${this.left} are left`);
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
  /** An unsigned number of 1, 2, 4 or 8 bytes. */
  uint(size: number): number {
    if (size === 8) return this.u64();
    if (size === 4) return this.u32();
    if (size === 2) return this.u16();
    if (size === 1) return this.u8();
    throw damaged(`numbers of ${size} bytes`);
  }
  /** An address; -1 for the one that stands for nothing. */
  address(): number {
    const { offsetSize } = this.file;
    const value = this.uint(offsetSize);
    return value >= 2 ** (8 * offsetSize) - 1 ? kNowhere : value;
  }
  length(): number {
    return this.uint(this.file.lengthSize);
  }
  bytes(size: number): Uint8Array {
    const from = this.take(size);
    return this.file.bytes.subarray(from, from + size);
  }
  /** The next `size` bytes, to be read by themselves. */
  part(size: number): Cursor {
    const from = this.take(size);
    return new Cursor(this.file, from, from + size);
  }
  expect(signature: string, what: string): this {
    const found = this.bytes(signature.length);
    if (found.some((byte, i) => byte !== signature.charCodeAt(i))) {
      throw damaged(`${what} at ${this.at - signature.length} does not begin with ${signature}`);
    }
    return this;
  }
}

export function damaged(what: string): FormatError {
  return new FormatError(`the HDF5 file is damaged: ${what}`);
}
