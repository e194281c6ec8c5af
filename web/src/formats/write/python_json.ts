// SPDX-License-Identifier: MIT
import { isRecord, type Json, lookUp } from '../json.js';
import { floatSettings } from './float_settings.gen.js';

/**
 * JSON as Python reads it. NaN and infinities are bare words there, of which JSON.stringify would
 * make null, and a float is written with a point: Keras refuses `momentum: 1`.
 */
export function pythonJson(value: unknown): string {
  const mark = `number ${Math.random()} `;
  const marked = JSON.stringify(value, (_, item) => {
    if (typeof item === 'number' && !Number.isFinite(item)) return mark + item;
    return isRecord(item) && isRecord(item['config'])
      ? withFloats(item, item['config'], mark)
      : item;
  });
  return marked.replace(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}

/** The serialized object with its float settings marked. */
function withFloats(object: Json, config: Json, mark: string): Json {
  const { class_name: className, module, registered_name: registered } = object;
  // A user-defined class may have settings of the same names that are whole.
  const isKeras = (registered ?? className) === className;
  const listed = isKeras ? lookUp(floatSettings, String(className))?.split(' ') : undefined;
  // All settings of these that are numbers are floats, but for seeds and axes.
  const all = /^keras\.(initializers|regularizers)$/.test(String(module));
  const isFloat = (key: string) => listed?.includes(key) || (all && !/^(seed|axis)$/.test(key));
  const entries = Object.entries(config).map(([key, item]) => [
    key,
    isFloat(key) ? asFloats(item, mark) : item,
  ]);
  return { ...object, config: Object.fromEntries(entries) };
}

function asFloats(value: unknown, mark: string): unknown {
  if (Array.isArray(value)) return value.map((item) => asFloats(item, mark));
  if (!Number.isInteger(value)) return value;
  const text = Object.is(value, -0) ? '-0' : String(value);
  return `${mark}${text}${text.includes('e') ? '' : '.0'}`;
}
