// SPDX-License-Identifier: MIT
// The steps, read from the controls.
import { Advice } from '../../shared/chapter.js';
import type { Settings } from '../../shared/settings.js';
import type { Input } from './read.js';

export type Model = 'prefixes' | 'sensor' | 'brackets';

export const alphabet = ' ()[]{}';
/** The step whose reading the model forecasts. */
export const last = 48;
export const maxSteps = last - 1;

export const modelOf = (settings: Settings): Model =>
  settings.choice('model', 'prefixes', 'sensor', 'brackets');

export function inputsOf(settings: Settings): Input[] {
  return modelOf(settings) === 'sensor' ? readingsOf(settings) : bracketsOf(settings);
}

function bracketsOf(settings: Settings): string[] {
  const letters = [...settings.text('text').replace(/\s/g, '')].slice(0, 24);
  const other = letters.find((letter) => !alphabet.includes(letter));
  if (other) throw new Advice(`The model only knows ( ) [ ] { }; remove “${other}”.`);
  return letters;
}

/**
 * Parses readings in hundredths, such as '27,x,-60'; text that is not a number is a missing one.
 */
function readingsOf(settings: Settings): (number | null)[] {
  const parts = settings.text('readings').split(',').filter(Boolean).slice(0, maxSteps);
  return parts.map((part) => {
    const value = Number(part) / 100;
    return Number.isFinite(value) ? Math.min(1.5, Math.max(-1.5, value)) : null;
  });
}

/** Writes readings as `readingsOf` reads them. */
export const formatReadings = (readings: Input[]): string =>
  readings.map((each) => (each === null ? 'x' : Math.round(Number(each) * 100))).join(',');

/** Returns the number of steps after which the state is saved; -1 if it is not saved. */
export function savedAt(settings: Settings, steps: number): number {
  return settings.integer('saved', 0, steps) ?? -1;
}

/** Returns possible next steps. */
export const probesOf = (model: Model): Input[] =>
  model === 'sensor' ? [-1, 0, 0.5, 1, null] : [...alphabet.trim()];
