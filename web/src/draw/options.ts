// SPDX-License-Identifier: MIT
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
export interface FigureSettings {
  title: string | undefined;
  description: string | undefined;
  theme: Theme;
}

const names = { title: 1, description: 1, theme: 1 } as const;

function textOf(value: unknown, name: string): string | undefined {
  return value === undefined || typeof value === 'string' ? value : refuse(name, 'a string', value);
}

/** Returns the options that all figures have. `own` names the further options of a figure. */
export function settingsOf<T extends FigureOptions>(
  options: T,
  own: { readonly [name: string]: 1 } = {},
): FigureSettings {
  const {
    title,
    description,
    theme = 'auto',
  } = checkOptions(options as FigureOptions, {
    ...names,
    ...own,
  });
  if (!['auto', 'light', 'dark'].includes(theme))
    refuse('theme', "'auto', 'light' or 'dark'", theme);
  return {
    title: textOf(title, 'title'),
    description: textOf(description, 'description'),
    theme,
  };
}
