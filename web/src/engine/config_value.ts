// SPDX-License-Identifier: MIT
// Configs on their way into the core: checked, copied and packed into one array of bytes. The
// decoder in bindings/ finds `LayerReference` by its name.
import { isPlain, refuse, checkText } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import { toSnake } from '../base/names.js';
import { isTypedArray } from '../base/nested.js';
import { encodeUtf8 } from './utf8.js';

const kDeepest = 200;
const kMax = 1_000_000;

/** Nesting that the core refuses; plain data may contain itself. */
const kNeverRead = 300;

/** Bytes that grow as they are written, little-endian. */
class Packer {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;

  get packed(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }

  /** Makes room for more bytes, and returns the position of the first one. */
  #grow(count: number): number {
    const start = this.#size;
    this.#size += count;
    if (this.#size > this.#bytes.length) {
      const before = this.#bytes;
      this.#bytes = new Uint8Array(2 * this.#size);
      this.#bytes.set(before);
      this.#view = new DataView(this.#bytes.buffer);
    }
    return start;
  }

  #kind(letter: string, count?: number): void {
    const start = this.#grow(count === undefined ? 1 : 5);
    this.#bytes[start] = letter.charCodeAt(0);
    if (count !== undefined) this.#view.setUint32(start + 1, count, true);
  }

  #text(text: string): void {
    const bytes = encodeUtf8(text);
    const start = this.#grow(4 + bytes.length);
    this.#view.setUint32(start, bytes.length, true);
    this.#bytes.set(bytes, start + 4);
  }

  add(value: unknown, depth = 0): void {
    if (typeof value === 'number') {
      this.#kind('d');
      const start = this.#grow(8);
      this.#view.setFloat64(start, value, true);
    } else if (typeof value === 'boolean') this.#kind(value ? 't' : 'f');
    else if (typeof value === 'string') {
      this.#kind('s');
      this.#text(value);
    } else if (value === null || value === undefined || depth > kNeverRead) this.#kind('z');
    else if (typeof value !== 'object') {
      this.#kind('x');
      this.#text(typeof value);
    } else if (Array.isArray(value)) {
      this.#kind('l', value.length);
      for (const item of value) this.add(item, depth + 1);
    } else if (value instanceof LayerReference) this.#kind('h', value.handle);
    else {
      // As usual in JavaScript, an undefined option counts as absent.
      const entries = Object.entries(value).filter(([, item]) => item !== undefined);
      this.#kind('o', entries.length);
      for (const [key, item] of entries) {
        this.#text(key);
        this.add(item, depth + 1);
      }
    }
  }
}

/** Represents a layer in a config that is passed to the core. Parsed data cannot contain one. */
export class LayerReference {
  constructor(readonly handle: number) {}

  /**
   * Returns a config in one piece, for the core, which finds this class by its name. Each value is
   * a letter and its content: `d` a float64; `t`, `f` and `z` true, false and null; `s` a text; `l`
   * and `o` a count, then items, or keys (texts) and items; `h` the handle of a layer; `x` the type
   * of a value that no config may contain. Texts are a count and UTF-8; counts have 4 bytes.
   */
  static pack(value: unknown): Uint8Array {
    const packer = new Packer();
    packer.add(value);
    return packer.packed;
  }
}

/** Values of Keras configs: JSON, and numbers that are not finite. */
export type ConfigValue =
  | null
  | boolean
  | number
  | string
  | ConfigValue[]
  | { [key: string]: ConfigValue };
/** A config that may contain layers, such as a wrapper's. */
export type ConfigWithLayers =
  | ConfigValue
  | LayerReference
  | ConfigWithLayers[]
  | { [key: string]: ConfigWithLayers };

/**
 * Copies plain data for the core. The core reads it recursively on a small stack, which data that
 * contains itself would exhaust. Getters run here. `convert` is applied to every value first.
 */
export function checkDepth<T>(
  value: T,
  what: string,
  convert: (value: unknown, key: string) => unknown = (unchanged) => unchanged,
): T {
  let remaining = kMax;
  const copy = (item: unknown, key: string, depth: number): unknown => {
    const plain = convert(item, key);
    if (typeof plain === 'string') checkText(plain, key ? `'${key}'` : what);
    if (typeof plain !== 'object' || plain === null || plain instanceof LayerReference) {
      return plain;
    }
    if (depth > kDeepest) {
      throw new ConfigError(
        `${what} is nested more than ${kDeepest} deep; does it contain itself?`,
      );
    }
    const list = Array.isArray(plain) || isTypedArray(plain) ? firstItems(plain) : null;
    if (!list && !isPlain(plain)) refuse(`'${key || what}'`, 'plain data', plain);
    const entries = list ? [] : Object.entries(plain);
    remaining -= 1 + (list ?? entries).length;
    if (remaining < 0) throw new ConfigError(`${what} has more than ${kMax} values; pass fewer`);
    if (list) return list.map((inner) => copy(inner, key, depth + 1));
    return Object.fromEntries(
      entries
        .filter(([, inner]) => inner !== undefined)
        .map(([name, inner]) => {
          checkText(name, `a key of ${what}`);
          return [name, copy(inner, name, depth + 1)];
        }),
    );
  };
  return copy(value, '', 0) as T;
}

// One item over the limit is enough for a refusal. Detached typed arrays cannot be iterated.
const firstItems = (list: ArrayLike<unknown>): unknown[] =>
  Array.from(Array.prototype.slice.call(list, 0, kMax + 1));

/** Settings for the core, under names in snake_case and without those that are undefined. */
export function settingsOf(settings: object): { [key: string]: ConfigValue } {
  const present = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    present.map(([key, value]) => [toSnake(key), checkDepth(value, key) as ConfigValue]),
  );
}
