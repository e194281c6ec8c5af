// SPDX-License-Identifier: MIT
// Colours of figures. Blue is kept and vermilion is lost, both after Okabe and Ito; hatching marks
// padding, so that a figure without colour says as much.

/** Name of a colour: `kept` is the variable `--maskflow-kept` of pages. */
export type Colour = keyof typeof colours;

/** Each colour on light paper, on dark paper, and as a colour of the system. */
const colours = {
  paper: ['#ffffff', '#12161d', 'Canvas'],
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
  alarm: ['#a63c00', '#ff9d63', 'LinkText'],
  'alarm-tint': ['#fdeee4', '#33211a', 'Canvas'],
} as const;

/** Colours of the fill and the line of an element, and other attributes. */
interface Look {
  fill?: Colour;
  stroke?: Colour;
  attributes?: string;
}

const dashed = 'stroke-dasharray="6 4" stroke-width="2"';

/** The looks of all elements by the name of their class. */
const looks = {
  paper: { fill: 'paper' },
  card: { fill: 'surface', stroke: 'edge' },
  lost: { fill: 'alarm-tint', stroke: 'alarm', attributes: 'stroke-width="2"' },
  kept: { fill: 'kept', stroke: 'kept-edge' },
  masked: { fill: 'masked', stroke: 'hatch' },
  hatch: { stroke: 'hatch', attributes: 'fill="none" stroke-width="1.5"' },
  rule: { stroke: 'line', attributes: 'fill="none"' },
  wire: { stroke: 'edge', attributes: 'fill="none" stroke-width="2"' },
  cut: { stroke: 'alarm', attributes: `fill="none" ${dashed}` },
  line: {
    stroke: 'accent',
    attributes: 'fill="none" stroke-width="3" stroke-linejoin="round" stroke-linecap="round"',
  },
  second: { stroke: 'ink', attributes: `fill="none" ${dashed}` },
  cell: { fill: 'surface', stroke: 'line' },
  'alarm-dot': { fill: 'alarm' },
  arrow: { fill: 'edge' },
  bar: { fill: 'accent' },
  ink: { fill: 'ink' },
  soft: { fill: 'soft' },
  'kept-ink': { fill: 'kept-ink' },
  // The letter has a margin, so that it can be read on the hatching.
  'masked-ink': {
    fill: 'masked-ink',
    stroke: 'masked',
    attributes: 'stroke-width="4" paint-order="stroke"',
  },
  accent: { fill: 'accent' },
  alarm: { fill: 'alarm' },
} as const satisfies { [name: string]: Look };

/** Name of a look: the class of an element, without its prefix. */
export type LookName = keyof typeof looks;

/** A theme: that of the system, or a fixed one. */
export type Theme = 'auto' | 'light' | 'dark';

/** Fonts of figures; pages replace them by `--maskflow-font` and `--maskflow-mono`. */
export const sans = 'system-ui,Helvetica,Arial,sans-serif';
const mono = 'ui-monospace,Menlo,Consolas,monospace';

/**
 * Returns the attributes of a look. They hold the light colours, for programs without CSS and for
 * pages that forbid styles.
 */
export function attributesOf(name: LookName, theme: Theme, isMono: boolean): string {
  const { fill, stroke, attributes }: Look = looks[name];
  const index = theme === 'dark' ? 1 : 0;
  const colour = (property: string, of?: Colour) =>
    of ? ` ${property}="${colours[of][index]}"` : '';
  const font = isMono ? ` mf-mono" font-family="${mono}"` : '"';
  return `class="mf-${name}${font}${colour('fill', fill)}${colour('stroke', stroke)}${attributes ? ` ${attributes}` : ''}`;
}

/** Returns the variables of a theme: 0 light, 1 dark, 2 colours of the system. */
const variables = (index: 0 | 1 | 2): string =>
  Object.entries(colours)
    .map(([name, values]) =>
      index === 2
        ? `--mf-${name}:${values[2]}`
        : `--mf-${name}:var(--maskflow-${name},${values[index]})`,
    )
    .join(';');

/** Returns the style sheet of a figure with these looks. */
export function styleOf(theme: Theme, used: Iterable<LookName>): string {
  const root = `.maskflow-${theme}`;
  const rules = [...used].sort().map((name) => {
    const { fill, stroke }: Look = looks[name];
    const colour = (property: string, of?: Colour) => (of ? `${property}:var(--mf-${of});` : '');
    return `.mf-${name}{${colour('fill', fill)}${colour('stroke', stroke)}}`;
  });
  return [
    `${root}{max-width:100%;height:auto;forced-color-adjust:none;${variables(theme === 'dark' ? 1 : 0)}}`,
    ...(theme === 'auto' ? [`@media(prefers-color-scheme:dark){${root}{${variables(1)}}}`] : []),
    `@media(forced-colors:active){${root}{${variables(2)}}}`,
    `${root}{font-family:var(--maskflow-font,${sans})}`,
    `.mf-mono{font-family:var(--maskflow-mono,${mono})}`,
    ...rules,
  ].join('');
}
