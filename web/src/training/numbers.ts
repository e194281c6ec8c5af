// SPDX-License-Identifier: MIT
// Checks numbers in settings of losses, metrics, optimizers and schedules. Numbers beyond float32
// would become infinite, and weights then NaN.
import { isPlain, show } from '../base/check.js';
import { ConfigError } from '../base/errors.js';

const kLargest = (2 - 2 ** -23) * 2 ** 127;

const fits = (value: number): boolean => Math.abs(value) <= kLargest;

/**
 * Throws ConfigError for a number beyond float32. The settings must not contain themselves.
 *
 * @param owner Name of the class that has the settings.
 */
export function checkSettings(settings: unknown, owner: string, name = ''): void {
  if (typeof settings === 'number' && !fits(settings)) {
    throw new ConfigError(
      `${owner}: '${name}' is ${settings} but must be a finite number that float32 holds`,
    );
  }
  if (Array.isArray(settings)) {
    for (const item of settings) checkSettings(item, owner, name);
  } else if (isPlain(settings)) {
    for (const [key, item] of Object.entries(settings)) checkSettings(item, owner, key);
  }
}

/**
 * Throws ConfigError unless the value is a finite number, or a list or dictionary of finite
 * numbers; null in it means 1.
 */
export function checkLossWeights(lossWeights: unknown): void {
  if (lossWeights === undefined || lossWeights === null) return;
  const isSeveral = Array.isArray(lossWeights) || isPlain(lossWeights);
  const all: unknown[] = isSeveral ? Object.values(lossWeights) : [lossWeights];
  const index = all.findIndex(
    (item) => item !== null && item !== undefined && !(typeof item === 'number' && fits(item)),
  );
  if (index < 0) return;
  const key = isSeveral ? `[${Object.keys(lossWeights)[index]}]` : '';
  throw new ConfigError(
    `lossWeights${key} is ${show(all[index])} but must be a finite number that float32 holds`,
  );
}
