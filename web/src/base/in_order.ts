// SPDX-License-Identifier: MIT
// Functions that accept settings as Keras does: by position in its order, or by name.
import { isPlain, show } from './check.js';
import { ValueError } from './errors.js';
import { maker } from './maker.js';
import { named } from './named.js';
import { toSnake } from './names.js';

/** Returns whether an argument names settings; a config with a class is a value. */
const isNames = (value: unknown): value is object => isPlain(value) && !('class_name' in value);

/**
 * Returns the settings that a function received: by position in this order, then by name. Throws
 * ValueError for more values than settings, and for a setting that has two.
 *
 * @param call The function as messages show it: `initializers.constant`.
 */
export function settingsInOrder(
  call: string,
  order: readonly string[],
  args: readonly unknown[],
): { [name: string]: unknown } {
  const last = args.at(-1);
  const byName = isNames(last) ? last : {};
  const values = isNames(last) ? args.slice(0, -1) : args;
  const settings: { [name: string]: unknown } = {};
  for (const [i, value] of values.entries()) {
    if (value === undefined) continue;
    const name = order[i];
    if (name === undefined) {
      const known = order.length > 0 ? `only ${order.join(', ')} by position` : 'no settings';
      throw new ValueError(`${call} accepts ${known}, but was given ${show(value)}, too`);
    }
    settings[name] = value;
  }
  for (const [name, value] of Object.entries(byName)) {
    const twin = Object.keys(settings).find((other) => toSnake(other) === toSnake(name));
    if (twin) throw new ValueError(`${call}: '${twin}' is given twice: by position and by name`);
    settings[name] = value;
  }
  return settings;
}

/**
 * Creates a table of functions. Each word is the name of a class and of its settings, in Keras's
 * order: 'MaxNorm:maxValue:axis'.
 *
 * @param make Receives the name of the class, the settings, and the names of all settings.
 */
export const inOrder = <Table>(
  words: string,
  make: (className: string, settings: object, order: readonly string[]) => unknown,
  place: string,
): Table => {
  const functions = words.split(' ').map((word) => {
    const [className = '', ...order] = word.split(':');
    const name = className.charAt(0).toLowerCase() + className.slice(1);
    const f = (...args: readonly unknown[]) =>
      make(className, settingsInOrder(`${place}.${name}`, order, args), order);
    return [name, maker(f)];
  });
  return named(Object.fromEntries(functions), place) as Table;
};
