// SPDX-License-Identifier: MIT
// Settings of custom layers in their configs, as Keras records what `__init__` receives: without
// them a layer that is saved or cloned would have other numbers.
import { warn } from '../base/visible.js';
import { parametersOf, upToPartner } from './uses_mask.js';

type Settings = { [name: string]: unknown };
interface Configurable {
  getConfig(): object;
}

/** Classes with a warning. */
const warned = new WeakSet<object>();
/** Settings of each class, for which its source is read once. */
const read = new WeakMap<object, Map<string, boolean>>();

/** Returns whether a config can contain the value. */
const isPlainData = (value: unknown): boolean =>
  value === null ||
  /^(boolean|number|string)$/.test(typeof value) ||
  (Array.isArray(value) && value.every(isPlainData));

/** A list without what stands in its brackets and quotes. */
const topOf = (list: string): string =>
  list.replace(/(['"\x60]).*?\1|\[.*?\]|\{.*?\}|\(.*?\)/gs, '');

/** After a value that is stored as it is, or else by default. */
const kEnd = '\\s*(?=[;,}\\n]|\\?\\?|\\|\\|)';

/**
 * Returns the settings that a constructor reads, each with whether it keeps the value as it is:
 * `constructor({ factor = 1, ...rest }) { super(rest); this.factor = factor; }`, also with one
 * parameter whose properties it reads. What else it does with its arguments, but for those of
 * `super(...)`, is one setting without a name.
 */
function settingsIn(Class: object): Map<string, boolean> {
  const known = read.get(Class);
  if (known) return known;
  const settings = new Map<string, boolean>();
  read.set(Class, settings);
  const [, source = ''] =
    /(?:^function|(?<![.\w$])constructor)\s*[\w$]*(\(.*)/s.exec(String(Class)) ?? [];
  const parameters = parametersOf(source).slice(1).trim();
  let body = upToPartner(source.slice(source.indexOf(parameters) + parameters.length), '{}');
  body = `${body.replace(/\bsuper\s*\(.*?\)/s, '')};`;
  let pattern = parameters.startsWith('{') ? upToPartner(parameters, '{}') : '';
  const others = [
    ...topOf(`,${parameters.slice(pattern.length)}`).matchAll(/[,.]\s*([a-z_$][\w$]*)/gi),
  ].map(([, name = '']) => name.replaceAll('$', '\\$&'));
  for (const name of others) {
    body = body
      .replace(new RegExp(`\\{([^{}]*)\\}\\s*=\\s*${name}\\b(?!\\.)`), (_, taken) => {
        pattern ||= `{${taken}`;
        return '';
      })
      .replace(new RegExp(`this\\.(\\w+)\\s*=\\s*${name}\\.\\1${kEnd}`, 'g'), (_, kept) => {
        settings.set(kept, true);
        return '';
      });
  }
  for (const [, name = '', alias = name] of topOf(pattern.slice(1)).matchAll(
    /(?:^|,)\s*([a-z_$][\w$]*)(?:\s*:\s*([\w$]+))?/gi,
  ))
    settings.set(name, new RegExp(`this\\.${name}\\s*=\\s*${alias}${kEnd}`).test(body));
  others.push('arguments', /\.{3}\s*([\w$]+)\s*$/.exec(pattern)?.[1] ?? 'arguments');
  // A compiler's rest(options, ['factor']) reads no setting.
  if (
    new RegExp(`(?:^|[^.\\w$]|\\.{3})(?<!rest\\w*\\()(?:${others.join('|')})(?![\\w$])`).test(body)
  )
    settings.set('', false);
  return settings;
}

/**
 * Returns the settings that the constructors of a custom layer read by name and keep under the same
 * name. Warns if one is not seen to be kept as it is, or is no plain data. A class with a
 * `getConfig` has none, as in Keras. `base` is the prototype of all layers.
 */
export function ownSettings(layer: Configurable, base: Configurable): Settings {
  const settings: Settings = {};
  if (layer.getConfig !== base.getConfig) return settings;
  const { constructor: Class } = layer;
  for (let owner: object = layer; owner !== base; owner = Object.getPrototypeOf(owner)) {
    if (!Object.hasOwn(owner, 'constructor')) continue;
    for (const [name, isKept] of settingsIn(owner.constructor)) {
      if (name in base || name === 'dtype') continue;
      const value = (layer as unknown as Settings)[name];
      const isPlain = name !== '' && isPlainData(value);
      if (isPlain) settings[name] = value;
      if ((isPlain && isKept) || warned.has(Class)) continue;
      warned.add(Class);
      const what = name ? `its setting '${name}'` : 'arguments of its constructor';
      warn(`${Class.name} has no getConfig(): copies and files may lack ${what}`);
    }
  }
  return settings;
}
