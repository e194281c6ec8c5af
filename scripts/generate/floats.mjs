// SPDX-License-Identifier: MIT
// Settings that Python reads as floats. JavaScript has one type of numbers; only saved files need
// the difference.
import { head } from './words.mjs';

const kinds = ['layers', 'losses', 'metrics', 'optimizers', 'schedules', 'constraints'];

/** Replaces `float` by `number` in types. Returns the names of float settings by class. */
export function takeFloats(schema) {
  const floats = new Map();
  for (const { class_name, name = class_name, fields, attributes = fields } of kinds.flatMap(
    (kind) => schema[kind],
  )) {
    const names = floats.get(name) ?? new Set();
    for (const setting of attributes) {
      if (/\bfloat\b|LearningRate/.test(setting.type)) names.add(setting.name);
      setting.type = setting.type.replace(/\bfloat\b/g, 'number');
    }
    if (names.size > 0) floats.set(name, names);
  }
  return floats;
}

export function floatSettingsFile(floats) {
  const rows = [...floats].map(
    ([className, settings]) => `  ${className}: ${JSON.stringify([...settings].join(' '))},\n`,
  );
  return `${head}
/** Names of the settings, by class, that Python reads as floats: 1 is written as 1.0 there. */
export const floatSettings: { readonly [className: string]: string } = {
${rows.join('')}};
`;
}
