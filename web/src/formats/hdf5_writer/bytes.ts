// SPDX-License-Identifier: MIT
import { encodeUtf8 } from '../../engine/utf8.js';

/** Little-endian bytes that grow as they are written. Numbers of 64 bits are whole and at most 2^53. */
export class ByteWriter {
  #view = new DataView(new ArrayBuffer(256));
  #length = 0;

  #room(size: number): number {
    const at = this.#length;
    this.#length += size;
    if (this.#length > this.#view.byteLength) {
      const grown = new Uint8Array(Math.max(this.#length, 2 * this.#view.byteLength));
      grown.set(new Uint8Array(this.#view.buffer, 0, at));
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }

  get length(): number {
    return this.#length;
  }

  u8(...values: number[]): this {
    for (const value of values) {
      const at = this.#room(1);
      this.#view.setUint8(at, value);
    }
    return this;
  }
  u16(...values: number[]): this {
    for (const value of values) {
      const at = this.#room(2);
      this.#view.setUint16(at, value, true);
    }
    return this;
  }
  u32(...values: number[]): this {
    for (const value of values) {
      const at = this.#room(4);
      this.#view.setUint32(at, value, true);
    }
    return this;
  }
  u64(...values: number[]): this {
    for (const value of values) {
      const at = this.#room(8);
      this.#view.setBigUint64(at, BigInt(value), true);
    }
    return this;
  }
  /** HDF5's "no address". */
  undefinedAddress(): this {
    return this.u32(0xffffffff, 0xffffffff);
  }
  raw(bytes: Uint8Array): this {
    const at = this.#room(bytes.length);
    new Uint8Array(this.#view.buffer).set(bytes, at);
    return this;
  }
  text(text: string): this {
    return this.raw(encodeUtf8(text));
  }
  zeros(count: number): this {
    this.#room(count);
    return this;
  }
  /** Zeros up to a multiple of `unit`. */
  align(unit = 8): this {
    return this.zeros((unit - (this.#length % unit)) % unit);
  }
  /** Zeros up to a size, which must not be passed. */
  upTo(size: number): this {
    return this.zeros(size - this.#length);
  }
  done(): Uint8Array {
    return new Uint8Array(this.#view.buffer, 0, this.#length).slice();
  }
}

/** The parts of a file, each at its address: a multiple of 8. */
export class FileParts {
  readonly #parts: { at: number; bytes: Uint8Array }[] = [];
  #end: number;

  constructor(start: number) {
    this.#end = start;
  }
  get end(): number {
    return this.#end;
  }
  /** Room whose content comes later, with `fill`. */
  reserve(size: number): number {
    const at = this.#end;
    this.#end += size + ((8 - (size % 8)) % 8);
    return at;
  }
  fill(at: number, bytes: Uint8Array): void {
    this.#parts.push({ at, bytes });
  }
  place(bytes: Uint8Array): number {
    const at = this.reserve(bytes.length);
    this.fill(at, bytes);
    return at;
  }
  join(): Uint8Array {
    const file = new Uint8Array(this.#end);
    for (const { at, bytes } of this.#parts) file.set(bytes, at);
    return file;
  }
}
