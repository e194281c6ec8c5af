// SPDX-License-Identifier: MIT
// The steps as the controls hold them.
import { Advice } from '../../shared/chapter.js';
import type { Settings } from '../../shared/settings.js';
import type { Input } from './read.js';

export type Model = 'prefixes' | 'sensor' | 'brackets';

export const alphabet = ' ()[]{}';
/** The model forecasts the reading of this step. */
export const last = 48;
export const mostSteps = last - 1;

export const modelOf = (settings: Settings): Model =>
  settings.choice('model', 'prefixes', 'sensor', 'brackets');

export function inputsOf(settings: Settings): Input[] {
  return modelOf(settings) === 'sensor' ? readingsOf(settings) : bracketsOf(settings);
}

function bracketsOf(settings: Settings): string[] {
  const letters = [...settings.text('text').replace(/\s/g, '')].slice(0, 24);
  const other = letters.find((letter) => !alphabet.includes(letter));
  if (other) throw new Advice(`The model knows ( ) [ ] { } only, and “${other}” is none of them.`);
  return letters;
}

/** '27,x,-60': hundredths; what is no number is a reading that is missing. */
function readingsOf(settings: Settings): (number | null)[] {
  const parts = settings.text('readings').split(',').filter(Boolean).slice(0, mostSteps);
  return parts.map((part) => {
    const value = Number(part) / 100;
    return Number.isFinite(value) ? Math.min(1.5, Math.max(-1.5, value)) : null;
  });
}

export const written = (readings: Input[]): string =>
  readings.map((each) => (each === null ? 'x' : Math.round(Number(each) * 100))).join(',');

/** After how many steps the state is saved; -1: it is not. */
export function savedAt(settings: Settings, steps: number): number {
  return settings.integer('saved', 0, steps) ?? -1;
}

/** What may come next. */
export const probesOf = (model: Model): Input[] =>
  model === 'sensor' ? [-1, 0, 0.5, 1, null] : [...alphabet.trim()];
