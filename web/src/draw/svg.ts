// SPDX-License-Identifier: MIT
// Writes SVG as text. Only `svg` makes markup, so that names stay text.
import { visible } from '../base/visible.js';
import type { FigureSettings } from './options.js';
import { type Colour, sans, themed } from './palette.js';

/** A piece of SVG. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
export type { Markup };

/** A value in a template of SVG: text is escaped, numbers are rounded to what screens
 * show, lists are joined. */
export type Part = Markup | string | number | false | undefined | readonly Part[];

function write(part: Part): string {
  if (typeof part === 'number') return String(Math.round(part * 10) / 10);
  // Characters that XML forbids, or that reorder text, become visible escapes.
  if (typeof part === 'string')
    return visible(part)
      .replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
      .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return part ? (part instanceof Markup ? part.text : part.map(write).join('')) : '';
}

/** Makes markup of a template. */
export const svg = (texts: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(String.raw(texts, ...parts.map(write)));

/** A drawing with its size. */
export interface Block {
  width: number;
  height: number;
  markup: Part;
}

// Looks of texts.
const small = svg`font-size="11"`;
export const bold = svg`font-weight="700"`;
export const nameLook = svg`${bold} font-family="mono"`;
export const soft = svg`${small} fill="soft"`;
export const softEnd = svg`${soft} text-anchor="end"`;
export const softMiddle = svg`${soft} text-anchor="middle"`;
/** Returns the look of small bold texts of a colour. */
export const boldIn = (colour: Colour): Markup => svg`${small} ${bold} fill="${colour}"`;

/** Writes a text on its base line. */
export const text = (x: number, y: number, content: string, look: Part): Part =>
  content && svg`<text x="${x}" y="${y}" ${look}>${content}</text>`;

/** Draws a path. */
export const path = (d: Part, look: Part): Markup => svg`<path d="${d}" ${look}/>`;

/** Draws a rounded rectangle at [0, 0]. */
export const box = (width: number, height: number, look: Part): Part =>
  svg`<rect width="${width}" height="${height}" rx="8" ${look}/>`;

/** Moves parts. */
export const moved = (x: number, y: number, ...parts: Part[]): Part =>
  svg`<g transform="translate(${x} ${y})">${parts}</g>`;

/** Arranges blocks of one size in columns. */
export function arranged(blocks: readonly Block[], columns: number): Block {
  const [pitch, rise] = [(blocks[0]?.width ?? 0) + 24, (blocks[0]?.height ?? 0) + 24];
  return {
    width: Math.min(columns, blocks.length) * pitch - 24,
    height: Math.ceil(blocks.length / columns) * rise - 24,
    markup: blocks.map(({ markup }, index) =>
      moved((index % columns) * pitch, Math.floor(index / columns) * rise, markup),
    ),
  };
}

/** Estimates the width of a character in units of the size of the letters; there is no DOM. */
function widthOf(character: string): number {
  if (/[MW@%]/.test(character)) return 1;
  if (/[ -~]/.test(character)) return /[A-Zmw]/.test(character) ? 0.75 : 0.6;
  return /\p{M}|\p{Cf}/u.test(character) ? 0 : 1.2;
}

/** Estimates the width of a text. */
export const textWidth = (content: string, size: number): number =>
  [...content].reduce((width, character) => width + widthOf(character) * size, 0);

/** Cuts a text that is wider than `room`. */
export function fit(content: string, size: number, room: number): string {
  const shown = visible(content);
  if (textWidth(shown, size) <= room) return shown;
  let left = room - size;
  let cut = '';
  for (const character of shown) {
    left -= widthOf(character) * size;
    if (left < 0) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Breaks a text into lines that are no wider than `room`; words that are wider are cut. */
export function wrap(content: string, size: number, room: number): string[] {
  const lines: string[] = [];
  for (const word of content.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines[0] && textWidth(longer, size) <= room) lines[lines.length - 1] = longer;
    else lines.push(fit(word, size, room));
  }
  return lines;
}

/** Returns the figure: `block` on paper, below a heading. Settings replace the usual texts. */
export function figure(
  { theme, title, description }: FigureSettings,
  usualTitle: string,
  usualDescription: string,
  block: Block,
): string {
  const heading = title ?? usualTitle;
  const top = heading ? 64 : 24;
  // Bold letters of 16 pixels are as wide as thin ones of 18.
  const least = Math.min(400, textWidth(heading, 18));
  const width = Math.ceil(Math.max(block.width, least, 160)) + 48;
  const height = Math.ceil(block.height) + top + 24;
  const [style, body] = themed(
    svg`<g font-size="13" fill="ink">${[
      box(width, height, svg`fill="paper"`),
      text(24, 40, fit(heading, 18, width - 48), svg`${bold} font-size="16"`),
      moved(24, top, block.markup),
    ]}</g>`.text,
    theme,
  );
  const drawing = svg`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" class="maskflow-${theme}" role="img" font-family="${sans}"><title>${heading || usualTitle}</title><desc>${description ?? usualDescription}</desc><style>${new Markup(style)}</style>${new Markup(body)}</svg>`;
  return `${drawing.text}\n`;
}
