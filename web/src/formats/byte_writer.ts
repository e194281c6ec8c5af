// SPDX-License-Identifier: MIT
// The buffer to which the writers of HDF5 and zip append.
import { encodeUtf8 } from '../engine/utf8.js';

/** Writes little-endian numbers to a growing buffer. 64-bit numbers are integers up to 2^53. */
export class ByteWriter {
  #view = new DataView(new ArrayBuffer(256));
  #length = 0;

  #reserve(size: number): number {
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
      const at = this.#reserve(1);
      this.#view.setUint8(at, value);
    }
    return this;
  }
  u16(...values: number[]): this {
    for (const value of values) {
      const at = this.#reserve(2);
      this.#view.setUint16(at, value, true);
    }
    return this;
  }
  u32(...values: number[]): this {
    for (const value of values) {
      const at = this.#reserve(4);
      this.#view.setUint32(at, value, true);
    }
    return this;
  }
  u64(...values: number[]): this {
    for (const value of values) {
      const at = this.#reserve(8);
      this.#view.setBigUint64(at, BigInt(value), true);
    }
    return this;
  }
  /** HDF5's undefined address. */
  undefinedAddress(): this {
    return this.u32(0xffffffff, 0xffffffff);
  }
  /** Copies bytes. */
  raw(bytes: Uint8Array): this {
    const at = this.#reserve(bytes.length);
    new Uint8Array(this.#view.buffer).set(bytes, at);
    return this;
  }
  text(text: string): this {
    return this.raw(encodeUtf8(text));
  }
  zeros(count: number): this {
    this.#reserve(count);
    return this;
  }
  /** Writes zeros up to a multiple of `unit`. */
  align(unit = 8): this {
    return this.zeros((unit - (this.#length % unit)) % unit);
  }
  /** Writes zeros up to this total size, which must not be exceeded yet. */
  upTo(size: number): this {
    return this.zeros(size - this.#length);
  }
  /** Returns a copy of the bytes. */
  done(): Uint8Array {
    return new Uint8Array(this.#view.buffer, 0, this.#length).slice();
  }
}
