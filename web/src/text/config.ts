// SPDX-License-Identifier: MIT
import { optionsOf, refuse, show } from '../base/check.js';
import { ConfigError, UnsupportedError } from '../base/errors.js';
import { toCamel, toSnake } from '../base/names.js';

// In Keras's configurations, but without a meaning here.
const silent = ['trainable', 'dtype', 'vocabularySize', 'hasInputVocabulary', 'vocabularyDtype'];

/** The settings under their camelCase names; a ConfigError for one that does not exist. */
export function readConfig<T extends object>(className: string, config: object, fallback: T): T {
  const settings: { [key: string]: unknown } = { ...(fallback as object) };
  for (const [key, value] of Object.entries(optionsOf(config, `the settings of ${className}`))) {
    const name = toCamel(key);
    if (value === undefined || silent.includes(name)) continue;
    if (name === 'sparse' && value) {
      throw new UnsupportedError(
        `${className}: sparse results do not exist here; leave sparse out`,
      );
    }
    if (name === 'encoding' && !(typeof value === 'string' && /^utf-?8$/i.test(value))) {
      throw new UnsupportedError(
        `${className}: encoding is ${show(value)}, but JavaScript has UTF-8 only`,
      );
    }
    if (name === 'sparse' || name === 'encoding') continue;
    if (!Object.hasOwn(fallback, name)) {
      const known = Object.keys(fallback).join(', ');
      throw new ConfigError(`${className} has no setting '${key}'; it has ${known}`);
    }
    settings[name] = value;
  }
  return settings as T;
}

/** The settings as Keras writes them. */
export function writeConfig(settings: object): { [key: string]: unknown } {
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [toSnake(key), value]));
}

export function checkOneOf(
  className: string,
  what: string,
  value: unknown,
  known: unknown[],
): void {
  if (known.includes(value)) return;
  const list = known.map((item) => (item === null ? 'null' : `'${item}'`)).join(', ');
  refuse(`${className}: ${what}`, `one of ${list}`, value, ConfigError);
}
