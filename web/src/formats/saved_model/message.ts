// SPDX-License-Identifier: MIT
// Messages of Protocol Buffers: numbered fields, each a number or bytes. Only the fields that a
// caller asks for are interpreted.
import { FormatError } from '../../base/errors.js';
import { decodeUtf8 } from '../../engine/utf8.js';
import type { Budget } from '../open/budget.js';

/** Throws FormatError for bytes that are not as TensorFlow writes them. */
export function damaged(what: string): never {
  throw new FormatError(`the SavedModel is damaged: ${what}; copy or fetch its files again`);
}

/** Reads numbers of seven bits a byte, and pieces of bytes, one after the other. */
export class Cursor {
  at = 0;

  constructor(
    readonly bytes: Uint8Array,
    /** Name of the bytes, for messages. */
    readonly what: string,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** Reads a number of at most 64 bits; above 2^53 it is rounded. */
  varint(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 70; factor *= 128) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) return damaged(`${this.what} is cut short`);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    return damaged(`${this.what} has a number of more than 64 bits`);
  }

  /** Returns the next bytes, as a view. */
  take(length: number): Uint8Array {
    const start = this.at;
    if (length > this.bytes.length - start) damaged(`${this.what} is cut short`);
    this.at += length;
    return this.bytes.subarray(start, this.at);
  }

  /** Reads a little-endian number of 32 bits. */
  uint32(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.take(4);
    return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
  }
}

type Value = number | Uint8Array;

/** The fields of a message by their number. */
export class Message {
  readonly #fields = new Map<number, Value[]>();

  constructor(
    bytes: Uint8Array,
    readonly what: string,
    readonly budget: Budget,
  ) {
    const cursor = new Cursor(bytes, what);
    while (!cursor.isAtEnd) {
      budget.spend('nodes', 1, what);
      const key = cursor.varint();
      const field = Math.floor(key / 8);
      const value = valueIn(cursor, key % 8);
      const values = this.#fields.get(field);
      if (values) values.push(value);
      else this.#fields.set(field, [value]);
    }
  }

  /** Returns the last number of a field; 0 if it is absent, as for every number that is 0. */
  number(field: number): number {
    const value = this.#fields.get(field)?.at(-1) ?? 0;
    return typeof value === 'number' ? value : damaged(`field ${field} of ${this.what}`);
  }

  /** Returns the bytes of all repetitions of a field. */
  bytes(field: number): Uint8Array[] {
    const values = this.#fields.get(field) ?? [];
    return values.map((value) =>
      typeof value === 'number' ? damaged(`field ${field} of ${this.what}`) : value,
    );
  }

  text(field: number): string {
    return decodeUtf8(this.bytes(field).at(-1) ?? new Uint8Array());
  }

  /** Returns the messages of all repetitions of a field. */
  messages(field: number): Message[] {
    return this.bytes(field).map((bytes) => new Message(bytes, this.what, this.budget));
  }
}

function valueIn(cursor: Cursor, type: number): Value {
  switch (type) {
    case 0:
      return cursor.varint();
    case 1:
      return cursor.take(8);
    case 2:
      return cursor.take(cursor.varint());
    case 5:
      return cursor.uint32();
    default:
      return damaged(`${cursor.what} has a field of the unknown type ${type}`);
  }
}
