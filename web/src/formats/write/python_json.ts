// SPDX-License-Identifier: MIT
// The only writer of JSON in saved models, for `.keras` files and model.json.
import { isRecord, type Json, lookUp } from '../json.js';
import { floatSettings } from './float_settings.gen.js';

/**
 * Writes JSON for Python: NaN and infinities as bare words, where JSON.stringify writes null, and
 * floats with a point, because Keras refuses `momentum: 1`.
 */
export function pythonJson(value: unknown): string {
  const mark = `number ${Math.random()} `;
  const text = JSON.stringify(value, (_, item) => {
    if (typeof item === 'number' && !Number.isFinite(item)) return mark + item;
    return isRecord(item) && isRecord(item['config'])
      ? withFloats(item, item['config'], mark)
      : item;
  });
  return text.replace(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}

/** Returns the serialized object with its float settings marked. */
function withFloats(object: Json, config: Json, mark: string): Json {
  const { class_name: className, module, registered_name: registered } = object;
  // Only in Keras's classes: in a custom class, settings of the same names may be integers.
  const isKeras = (registered ?? className) === className;
  const floats = isKeras ? lookUp(floatSettings, String(className))?.split(' ') : undefined;
  // In these modules, all numbers except seeds and axes are floats.
  const allAreFloats = /^keras\.(initializers|regularizers)$/.test(String(module));
  const isFloat = (key: string) =>
    floats?.includes(key) || (allAreFloats && !/^(seed|axis)$/.test(key));
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
