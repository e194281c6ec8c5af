// SPDX-License-Identifier: MIT
import { isPlain, refuse, checkText } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import { toSnake } from '../base/names.js';
import { isTypedArray } from '../base/nested.js';

const kDeepest = 200;
const kMost = 1_000_000;

/** Represents a layer in a config that is passed to the core. Parsed data cannot contain one. */
export class LayerReference {
  constructor(readonly handle: number) {}
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
  let remaining = kMost;
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
    if (remaining < 0) throw new ConfigError(`${what} has more than ${kMost} values; pass fewer`);
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
  Array.from(Array.prototype.slice.call(list, 0, kMost + 1));

/** Settings for the core, under names in snake_case and without those that are undefined. */
export function settingsOf(settings: object): { [key: string]: ConfigValue } {
  const present = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    present.map(([key, value]) => [toSnake(key), checkDepth(value, key) as ConfigValue]),
  );
}
