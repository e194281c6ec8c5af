// SPDX-License-Identifier: MIT
// Colours of figures. Blue is kept and vermilion is lost, both after Okabe and Ito; hatching marks
// padding, so that a figure without colour says as much.

/** A theme: that of the system, or a fixed one. */
export type Theme = 'auto' | 'light' | 'dark';

/**
 * Each colour on light paper, on dark paper, and as a colour of the system. In a drawing, the value
 * of a `fill` or `stroke` is its name here. Pages replace it by a variable such as
 * `--maskflow-kept`.
 */
const colours = {
  paper: ['#fff', '#12161d', 'Canvas'],
  surface: ['#faf9f6', '#1b222d', 'Canvas'],
  ink: ['#1b2330', '#e9ecf2', 'CanvasText'],
  soft: ['#535d6e', '#a9b3c3', 'CanvasText'],
  line: ['#dcd9d1', '#343e4d', 'CanvasText'],
  edge: ['#7d8694', '#8793a8', 'CanvasText'],
  kept: ['#d5e8f6', '#16405f', 'Canvas'],
  'kept-ink': ['#0b3352', '#dcefff', 'CanvasText'],
  'kept-edge': ['#6aa9d3', '#3d7fb0', 'CanvasText'],
  masked: ['#f7f5f1', '#171c25', 'Canvas'],
  'masked-ink': ['#5a6170', '#a3adbd', 'CanvasText'],
  hatch: ['#a8a294', '#66738a', 'CanvasText'],
  accent: ['#0064a3', '#6fb8f0', 'Highlight'],
  heat: ['#005d99', '#3f8fd0', 'Highlight'],
  alarm: ['#a63c00', '#ff9d63', 'LinkText'],
  'alarm-tint': ['#fdeee4', '#33211a', 'Canvas'],
} as const;

/** Name of a colour. */
export type Colour = keyof typeof colours;

/** Fonts of figures; pages replace them by `--maskflow-font` and `--maskflow-mono`. */
export const sans = 'system-ui,sans-serif';
const mono = 'ui-monospace,Menlo,monospace';

/**
 * Returns the style sheet and the body of a drawing. The attributes of the body hold the colours of
 * one theme, for programs without CSS and for pages that forbid styles.
 */
export function themed(drawing: string, theme: Theme): [style: string, body: string] {
  const root = `.maskflow-${theme}`;
  const dark = theme === 'dark' ? 1 : 0;
  const used = Object.entries(colours).filter(([name]) => drawing.includes(`="${name}"`));
  const rulesOf = (index: 0 | 1 | 2) =>
    used
      .flatMap(([name, values]) =>
        ['fill', 'stroke'].map((property) => {
          const value = index < 2 ? `var(--maskflow-${name},${values[index]})` : values[2];
          return `${root} [${property}="${values[dark]}"]{${property}:${value}}`;
        }),
      )
      .join('');
  const style =
    `${root}{max-width:100%;height:auto;forced-color-adjust:none;font-family:var(--maskflow-font,${sans})}` +
    `${root} [font-family]{font-family:var(--maskflow-mono,${mono})}${rulesOf(dark)}` +
    (theme === 'auto' ? `@media(prefers-color-scheme:dark){${rulesOf(1)}}` : '') +
    `@media(forced-colors:active){${rulesOf(2)}}`;
  const body = used.reduce(
    (text, [name, values]) => text.replaceAll(`="${name}"`, `="${values[dark]}"`),
    drawing.replaceAll('="mono"', `="${mono}"`),
  );
  return [style, body];
}
