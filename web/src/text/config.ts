// SPDX-License-Identifier: MIT
// Settings of all classes of maskflow/text, in both spellings: camelCase and Keras's snake_case.
import { checkText, optionsOf, refuse, show } from '../base/check.js';
import { ConfigError, UnsupportedError } from '../base/errors.js';
import { isReady, native } from '../engine/engine.js';
import { toCamel, toSnake } from '../base/names.js';
import { tagOf } from '../base/tag.js';

/** Settings in Keras's configs of layers that have no effect here, or only one value. */
export const kLayerSettings: readonly string[] = ['trainable', 'dtype', 'sparse'];
/** Further names of this kind in the configs of layers with a vocabulary. */
export const kLookupSettings: readonly string[] = [
  ...kLayerSettings,
  'vocabularySize',
  'hasInputVocabulary',
  'vocabularyDtype',
  'encoding',
];

/** Returns a set as a list, so that it can be indexed and saved; other values as they are. */
export const listOf = <T>(value: T | ReadonlySet<unknown>): T =>
  tagOf(value) === 'Set' ? ([...(value as ReadonlySet<unknown>)] as T) : (value as T);

/**
 * Returns the settings under their camelCase names. Throws ConfigError for an unknown one.
 *
 * @param ignored Names that the class has in Keras only.
 */
export function readConfig<T extends object>(
  className: string,
  config: object,
  fallback: T,
  ignored: readonly string[] = [],
): T {
  const settings: { [key: string]: unknown } = { ...(fallback as object) };
  const what = `the settings of ${className}`;
  const options = optionsOf(config, what, `${Object.keys(fallback)[0]}: …`);
  for (const [key, value] of Object.entries(options)) {
    const name = toCamel(key);
    if (value === undefined) continue;
    if (ignored.includes(name)) {
      checkIgnored(className, name, value);
      continue;
    }
    if (!Object.hasOwn(fallback, name)) {
      const names = Object.keys(fallback).join(', ');
      throw new ConfigError(`${className} has no setting '${key}'; the settings are ${names}`);
    }
    settings[name] = listOf(value);
  }
  return settings as T;
}

/** Throws UnsupportedError if the setting would change the results. */
function checkIgnored(className: string, name: string, value: unknown): void {
  if (name === 'sparse' && value) {
    throw new UnsupportedError(`${className}: sparse results are not available; leave sparse out`);
  }
  if (name === 'encoding' && !(typeof value === 'string' && /^utf-?8$/i.test(value))) {
    throw new UnsupportedError(`${className}: encoding is ${show(value)} but must be 'utf-8'`);
  }
}

// Layers without a name so far, by class. A new engine counts from 0 again, as the core does.
let counted: object | undefined;
const counts = new Map<string, number>();

/** Returns the next name of a class that Keras gives: text_vectorization, text_vectorization_1. */
export function nextName(className: string): string {
  const engine = isReady() ? native() : counted;
  if (counted && engine !== counted) counts.clear();
  counted = engine;
  const base = className.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
  const count = counts.get(base) ?? 0;
  counts.set(base, count + 1);
  return count === 0 ? base : `${base}_${count}`;
}

/** Returns the name of a layer. Default: its class name in snake_case, numbered as in Keras. */
export function nameOf(className: string, name: string | null): string {
  if (name !== null) checkText(name, 'name');
  return name ?? nextName(className);
}

/** Returns the settings under Keras's names. */
export function writeConfig(settings: object): { [key: string]: unknown } {
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [toSnake(key), value]));
}

/** Throws ConfigError unless the setting has one of the known values. */
export function checkOneOf(
  className: string,
  what: string,
  value: unknown,
  known: readonly unknown[],
): void {
  if (known.includes(value)) return;
  const list = known.map((item) => (item === null ? 'null' : `'${item}'`)).join(', ');
  refuse(`${className}: ${what}`, `one of ${list}`, value, ConfigError);
}
