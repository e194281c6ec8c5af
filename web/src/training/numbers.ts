// SPDX-License-Identifier: MIT
// Numbers of losses, metrics, optimizers and schedules. Beyond float32 they make infinities, and then weights that are NaN.
import { isPlain, show } from '../base/check.js';
import { ConfigError } from '../base/errors.js';

const kLargest = (2 - 2 ** -23) * 2 ** 127;

const fits = (value: number): boolean => Math.abs(value) <= kLargest;

/** ConfigError for a number among settings that no float32 holds; `owner`: whose settings. The settings do not contain themselves. */
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

/** One for all outputs, or one for each in a list or dictionary; null for an output without one. */
export function checkLossWeights(given: unknown): void {
  if (given === undefined || given === null) return;
  const all = Array.isArray(given) || isPlain(given) ? Object.values(given) : [given];
  const wrong = all.findIndex(
    (one: unknown) => one !== null && one !== undefined && !(typeof one === 'number' && fits(one)),
  );
  if (wrong < 0) return;
  const where = Object.is(all[0], given) ? '' : `[${Object.keys(given as object)[wrong]}]`;
  throw new ConfigError(
    `lossWeights${where} is ${show(all[wrong])} but must be a finite number that float32 holds`,
  );
}
