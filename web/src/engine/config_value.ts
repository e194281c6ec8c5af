// SPDX-License-Identifier: MIT
import { isPlain, refuse, checkText } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import { toSnake } from '../base/names.js';
import { isTypedArray } from '../base/nested.js';

const kDeepest = 200;
const kMost = 1_000_000;

/** Stands for a layer in a configuration on its way into the core; nothing that is parsed can. */
export class LayerReference {
  constructor(readonly handle: number) {}
}

/** What a Keras configuration holds: JSON, and numbers that are not finite. */
export type ConfigValue =
  | null
  | boolean
  | number
  | string
  | ConfigValue[]
  | { [key: string]: ConfigValue };
/** A configuration in which layers may stand (a wrapper's). */
export type ConfigWithLayers =
  | ConfigValue
  | LayerReference
  | ConfigWithLayers[]
  | { [key: string]: ConfigWithLayers };

/**
 * A copy of plain data for the core, which walks it by recursion on a small stack: data that contains itself would exhaust
 * it. What runs code when it is read runs it here. `convert` is asked of everything first.
 */
export function checkDepth<T>(
  value: T,
  what: string,
  convert: (value: unknown, key: string) => unknown = (given) => given,
): T {
  let left = kMost;
  const copy = (item: unknown, key: string, depth: number): unknown => {
    const given = convert(item, key);
    if (typeof given === 'string') checkText(given, key ? `'${key}'` : what);
    if (typeof given !== 'object' || given === null || given instanceof LayerReference) {
      return given;
    }
    if (depth > kDeepest) {
      throw new ConfigError(
        `${what} is nested more than ${kDeepest} deep; does it contain itself?`,
      );
    }
    const list = Array.isArray(given) || isTypedArray(given) ? cut(given) : null;
    if (!list && !isPlain(given)) refuse(`'${key || what}'`, 'plain data', given);
    const entries = list ? [] : Object.entries(given);
    left -= 1 + (list ?? entries).length;
    if (left < 0) throw new ConfigError(`${what} has more than ${kMost} values; is that meant?`);
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

// One more than may be is enough to be refused. (Typed arrays that were transferred away cannot be iterated over.)
const cut = (list: ArrayLike<unknown>): unknown[] =>
  Array.from(Array.prototype.slice.call(list, 0, kMost + 1));

/** Settings under Keras's names, ready to cross; absent ones are left out. */
export function settingsOf(settings: object): { [key: string]: ConfigValue } {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([key, value]) => [toSnake(key), checkDepth(value, key) as ConfigValue]),
  );
}
