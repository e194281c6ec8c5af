// SPDX-License-Identifier: MIT
// Writes SVG as text. Only `escaped` turns text into markup, so that names stay text.
import { visible } from '../base/visible.js';
import type { FigureSettings } from './options.js';
import { attributesOf, type LookName, sans, styleOf, type Theme } from './palette.js';

/** Text of SVG in which all names are escaped. */
export type Markup = string & { readonly markup: true };

const entities: { [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text. Characters that XML forbids, or that reorder text, become visible escapes. */
export const escaped = (text: string): Markup =>
  visible(text)
    .replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '') as Markup;

/** Joins markup. */
export const group = (...parts: Markup[]): Markup => parts.join('') as Markup;

/** Moves parts. */
export const translated = (x: number, y: number, ...parts: Markup[]): Markup =>
  `<g transform="translate(${n(x)} ${n(y)})">${group(...parts)}</g>` as Markup;

/** Writes a number with at most one decimal, which is finer than any screen. */
export const n = (value: number): string => String(Math.round(value * 10) / 10);

/** Width of a character in units of the size of the letters. */
const kCharacter = 0.6;
const isWide = (character: string): boolean =>
  /[\p{Extended_Pictographic}\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60]|[\u{1F000}-\u{3FFFD}]/u.test(
    character,
  );
const widthOf = (character: string): number => (isWide(character) ? 2 : 1) * kCharacter;

/** Estimates the width of a text; there is no DOM that measures it. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const character of visible(text)) width += widthOf(character) * size;
  return width;
}

/** Cuts a text that is wider than `room`. */
export function fit(text: string, size: number, room: number): string {
  const shown = visible(text);
  if (textWidth(shown, size) <= room) return shown;
  let width = kCharacter * size;
  let cut = '';
  for (const character of shown) {
    width += widthOf(character) * size;
    if (width > room) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Breaks a text into lines that are no wider than `room`; words that are wider are cut. */
export function wrap(text: string, size: number, room: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer, size) > room) {
      lines.push(fit(line, size, room));
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, fit(line, size, room)];
}

export interface TextOptions {
  /** Size of the letters: 16, 13 or 11. */
  size?: 16 | 13 | 11;
  anchor?: 'middle' | 'end';
  bold?: boolean;
  mono?: boolean;
}

/** A figure while it is drawn: it writes elements and remembers their looks. */
export class Sheet {
  readonly #looks = new Set<LookName>(['paper', 'ink', 'soft']);
  readonly #theme: Theme;
  constructor(theme: Theme) {
    this.#theme = theme;
  }

  #look(name: LookName, isMono = false): string {
    this.#looks.add(name);
    return attributesOf(name, this.#theme, isMono);
  }

  rect(
    look: LookName,
    x: number,
    y: number,
    width: number,
    height: number,
    radius = 0,
    opacity = 1,
  ): Markup {
    const more = `${radius ? ` rx="${radius}"` : ''}${opacity < 1 ? ` opacity="${opacity.toFixed(2)}"` : ''}`;
    return `<rect ${this.#look(look)} x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}"${more}/>` as Markup;
  }

  path(look: LookName, d: string): Markup {
    return d === '' ? group() : (`<path ${this.#look(look)} d="${d}"/>` as Markup);
  }

  circle(look: LookName, x: number, y: number, radius: number): Markup {
    return `<circle ${this.#look(look)} cx="${n(x)}" cy="${n(y)}" r="${radius}"/>` as Markup;
  }

  /** Writes a text on its base line. */
  text(look: LookName, x: number, y: number, text: string, options: TextOptions = {}): Markup {
    if (text === '') return group();
    const { size = 13, anchor, bold, mono: isMono } = options;
    const more = `${anchor ? ` text-anchor="${anchor}"` : ''}${bold ? ' font-weight="700"' : ''}`;
    return `<text ${this.#look(look, isMono)} x="${n(x)}" y="${n(y)}" font-size="${size}"${more}>${escaped(text)}</text>` as Markup;
  }

  /** Writes a small text upwards. */
  turned(look: LookName, x: number, y: number, text: string): Markup {
    return `<g transform="translate(${n(x)} ${n(y)}) rotate(-90)">${this.text(look, 0, 0, text, { size: 11 })}</g>` as Markup;
  }

  /** Groups parts under a title, which browsers show beside the pointer. */
  titled(title: string, ...parts: Markup[]): Markup {
    return `<g><title>${escaped(title)}</title>${group(...parts)}</g>` as Markup;
  }

  /**
   * Writes the figure: `body` on paper of this size, below a heading. `usual` are its texts, which
   * settings replace.
   */
  figure(
    settings: FigureSettings,
    usual: { title: string; description: string },
    size: { width: number; height: number },
    body: readonly Markup[],
  ): string {
    const title = settings.title ?? usual.title;
    const description = settings.description ?? usual.description;
    const top = title === '' ? 24 : 64;
    const width = Math.ceil(size.width / 8) * 8 + 48;
    const height = Math.ceil(size.height / 8) * 8 + top + 24;
    const heading = { size: 16, bold: true } as const;
    const content = group(
      this.rect('paper', 0, 0, width, height, 8),
      this.text('ink', 24, 40, fit(title, 16, width - 48), heading),
      translated(24, top, ...body),
    );
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ` +
      `height="${height}" class="maskflow-${this.#theme}" role="img" font-family="${sans}">` +
      `<title>${escaped(title || usual.title)}</title><desc>${escaped(description)}</desc>` +
      `<style>${styleOf(this.#theme, this.#looks)}</style>${content}</svg>\n`
    );
  }
}
