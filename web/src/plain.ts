// SPDX-License-Identifier: MIT
import { isPlain, refuse } from './check.js';
import { ConfigError } from './errors.js';
import { toSnake } from './names.js';
import type { Plain } from './native.js';

const kDeepest = 200;
const kMost = 10_000_000;

/**
 * A copy of plain data on its way into the core, which walks it by recursion on a small stack: data that contains
 * itself would exhaust it, and a getter that throws there would leave the stack where it was.
 */
export function checkDepth<T>(value: T, what: string): T {
  let count = 0;
  const copy = (item: unknown, depth: number): unknown => {
    if (typeof item !== 'object' || item === null || isHandle(item)) return item;
    const list = Array.isArray(item) || ArrayBuffer.isView(item);
    if (!list && !isPlain(item)) refuse(`what is in ${what}`, 'plain data', item);
    const entries = list ? [] : Object.entries(item);
    count += list ? (item as unknown[]).length : entries.length;
    if (depth > kDeepest || count > kMost) {
      throw new ConfigError(
        `${what} ${count > kMost ? `has more than ${kMost} items` : `is nested more than ${kDeepest} deep`}; does it contain itself?`,
      );
    }
    if (list) return Array.from(item as unknown[], (inner) => copy(inner, depth + 1));
    return Object.fromEntries(entries.map(([key, inner]) => [key, copy(inner, depth + 1)]));
  };
  return copy(value, 0) as T;
}

/** Settings under Keras's names, ready to cross; absent ones are left out. */
export function settingsOf(
  settings: object,
  convert: (value: unknown, key: string) => unknown = checkDepth,
): { [key: string]: Plain } {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([key, value]) => [toSnake(key), convert(value, key) as Plain]),
  );
}

/** Layers and tensors, ours and the core's. */
const isHandle = (value: object): boolean => 'handle' in value || 'isDeleted' in value;
