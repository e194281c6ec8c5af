// SPDX-License-Identifier: MIT
// Settings of custom layers in their configs, as Keras records what `__init__` receives: without
// them a layer that is saved or cloned would have other numbers.
import { warn } from '../base/visible.js';
import { parametersOf } from './uses_mask.js';

type Settings = { [name: string]: unknown };
interface Configurable {
  getConfig(): object;
}

/** Classes with a warning. */
const warned = new WeakSet<object>();

/** Returns whether a config can contain the value. */
const isPlainData = (value: unknown): boolean =>
  value === null ||
  /^(boolean|number|string)$/.test(typeof value) ||
  (Array.isArray(value) && value.every(isPlainData));

/** Returns what a constructor takes from its argument: `constructor({ factor = 1, ...rest })`. */
function namesIn(Class: unknown): string[] {
  const source = /\bconstructor\s*(\(.*)/s.exec(String(Class))?.[1] ?? '';
  const [, names = ''] = /^\(\s*\{(.*)\}/s.exec(parametersOf(source)) ?? [];
  const plain = names.replace(/(['"\x60]).*?\1|\[.*?\]|\{.*?\}|\(.*?\)/gs, '');
  return [...plain.matchAll(/(?:^|,)\s*([a-z_$]\w*)/gi)].map(([, name]) => name as string);
}

/**
 * Returns the settings that the constructors of a custom layer read by name and keep under the same
 * name. Warns if one is not kept so, or is no plain data. A class with a `getConfig` has none, as
 * in Keras. `base` is the prototype of all layers.
 */
export function ownSettings(layer: Configurable, base: Configurable): Settings {
  const settings: Settings = {};
  if (layer.getConfig !== base.getConfig) return settings;
  const { constructor: Class } = layer;
  for (let owner: object = layer; owner !== base; owner = Object.getPrototypeOf(owner)) {
    for (const name of Object.hasOwn(owner, 'constructor') ? namesIn(owner.constructor) : []) {
      if (name in base || name === 'dtype') continue;
      const value = (layer as unknown as Settings)[name];
      if (isPlainData(value)) settings[name] = value;
      else if (!warned.has(Class)) {
        warned.add(Class);
        warn(
          `${Class.name} has no getConfig(): a copy or a file of it lacks its setting '${name}'`,
        );
      }
    }
  }
  return settings;
}
