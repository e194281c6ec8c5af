// SPDX-License-Identifier: MIT
// The options that all functions of maskflow/draw share, and their check.
import { checkOptions, refuse } from '../base/check.js';
import type { Theme } from './palette.js';

/** Options of every figure. */
export interface FigureOptions {
  /** Heading, also for screen readers. '' draws no heading. */
  title?: string;
  /** Description for screen readers; by default one is written from the data. */
  description?: string;
  /**
   * Colours: `auto` (default) follows the system, `light` and `dark` are fixed. CSS variables of
   * the page, such as `--maskflow-kept`, replace the colours of every theme.
   */
  theme?: Theme;
}

/** Options after they were checked. */
export interface FigureSettings extends FigureOptions {
  theme: Theme;
}

/** Throws ValueError unless the value is one of the words. */
export function checkWord(name: string, value: unknown, ...words: string[]): void {
  if (!words.includes(value as string)) refuse(name, `'${words.join("' or '")}'`, value);
}

/** Returns the options that all figures have. `own` names the further options of a figure. */
export function settingsOf<T extends FigureOptions>(
  options: T,
  own: { readonly [name: string]: 1 } = {},
): FigureSettings {
  const names = { title: 1, description: 1, theme: 1, ...own } as const;
  const { theme = 'auto', ...texts } = checkOptions(options as FigureOptions, names);
  checkWord('theme', theme, 'auto', 'light', 'dark');
  for (const name of ['title', 'description'] as const) {
    const value = texts[name];
    if (value !== undefined && typeof value !== 'string') refuse(name, 'a string', value);
  }
  return { ...texts, theme };
}
