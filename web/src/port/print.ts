// SPDX-License-Identifier: MIT
// Prints programs: pieces of code that know where they may break, in lines of at most 100 columns.

/** A list in brackets: on one line if it fits, otherwise one item a line. */
export interface Bracket {
  readonly open: string;
  readonly items: readonly Doc[];
  readonly close: string;
  /** Whether blanks surround the items on one line, as in objects. */
  readonly isPadded?: boolean;
  /** Whether a comma may follow the last item. */
  readonly hasComma?: boolean;
}
/** Statements in braces, one a line. */
export interface Block {
  readonly lines: readonly Doc[];
}
/** Marks where code of the source begins. */
interface Mark {
  readonly mark: number;
}
export type Doc = string | readonly Doc[] | Bracket | Block | Mark;

const width = 100;

const isList = (doc: Doc): doc is readonly Doc[] => Array.isArray(doc);
const isBracket = (doc: Doc): doc is Bracket => typeof doc === 'object' && 'open' in doc;
const isBlock = (doc: Doc): doc is Block => typeof doc === 'object' && 'lines' in doc;
const isMark = (doc: Doc): doc is Mark => typeof doc === 'object' && 'mark' in doc;

const cache = new WeakMap<object, string | null>();

/** Returns the code on one line; null if it needs several or is longer than a line. */
export function flat(doc: Doc): string | null {
  if (typeof doc === 'string') return doc.includes('\n') ? null : doc;
  const known = cache.get(doc);
  if (known !== undefined) return known;
  const text = flatOf(doc);
  const result = text !== null && text.length > width ? null : text;
  cache.set(doc, result);
  return result;
}

function joined(docs: readonly Doc[], separator: string): string | null {
  let text = '';
  for (const [i, doc] of docs.entries()) {
    const piece = flat(doc);
    if (piece === null || text.length > width) return null;
    text += (i > 0 ? separator : '') + piece;
  }
  return text;
}

function flatOf(doc: Exclude<Doc, string>): string | null {
  if (isList(doc)) return joined(doc, '');
  if (isMark(doc)) return '';
  if (isBlock(doc)) return doc.lines.length === 0 ? '{}' : null;
  const inside = joined(doc.items, ', ');
  if (inside === null) return null;
  const pad = doc.isPadded && inside ? ' ' : '';
  return `${doc.open}${pad}${inside}${pad}${doc.close}`;
}

/** Returns all code in one string, whatever its length; for templates and comments. */
export function whole(doc: Doc): string {
  const printer = new Printer();
  printer.print(doc, 0);
  return printer.lines.join('\n');
}

export class Printer {
  readonly lines: string[] = [''];
  /** Offset in the source of each line, or null. */
  readonly offsets: (number | null)[] = [null];

  print(doc: Doc, indent: number): void {
    if (typeof doc === 'string') this.#write(doc);
    else if (isList(doc)) for (const part of doc) this.print(part, indent);
    else if (isMark(doc)) this.offsets[this.offsets.length - 1] ??= doc.mark;
    else if (isBlock(doc)) this.#block(doc, indent);
    else this.#bracket(doc, indent);
  }

  /** Prints statements, each on a line of its own. */
  statements(lines: readonly Doc[], indent: number): void {
    for (const line of lines) {
      if (line !== '') this.#write(' '.repeat(indent));
      this.print(line, indent);
      this.#newLine();
    }
  }

  #newLine(): void {
    this.lines.push('');
    this.offsets.push(null);
  }

  #write(text: string): void {
    const [first = '', ...rest] = text.split('\n');
    this.lines[this.lines.length - 1] += first;
    for (const line of rest) {
      this.#newLine();
      this.lines[this.lines.length - 1] = line;
    }
  }

  #block({ lines }: Block, indent: number): void {
    if (lines.length === 0) {
      this.#write('{}');
      return;
    }
    this.#write('{');
    this.#newLine();
    this.statements(lines, indent + 2);
    this.#write(`${' '.repeat(indent)}}`);
  }

  #fits(text: string | null): boolean {
    return text !== null && (this.lines.at(-1) as string).length + text.length <= width - 1;
  }

  #bracket(doc: Bracket, indent: number): void {
    const text = flat(doc);
    if (this.#fits(text)) {
      this.#write(text as string);
      return;
    }
    const { open, items, close } = doc;
    const last = items.at(-1);
    const before = joined(items.slice(0, -1), ', ');
    const canHug = open.endsWith('(') && last !== undefined && opensLate(last);
    if (canHug && before !== null && this.#fits(`${open}${before}, ${headOf(last)}`)) {
      this.#write(open + before + (items.length > 1 ? ', ' : ''));
      this.print(last, indent);
      this.#write(close);
      return;
    }
    this.#write(open);
    this.#newLine();
    for (const [i, item] of items.entries()) {
      this.#write(' '.repeat(indent + 2));
      this.print(item, indent + 2);
      if (i < items.length - 1 || doc.hasComma !== false) this.#write(',');
      this.#newLine();
    }
    this.#write(' '.repeat(indent) + close);
  }
}

/** Returns whether code ends in something that can be broken after its head. */
function opensLate(doc: Doc): boolean {
  if (typeof doc === 'string' || isMark(doc)) return false;
  if (isBlock(doc)) return true;
  if (isBracket(doc)) return doc.items.length > 0 && doc.open !== '(';
  const last = doc.at(-1);
  return last !== undefined && opensLate(last);
}

/** Returns the text before the first break. */
function headOf(doc: Doc): string {
  if (typeof doc === 'string') return doc;
  if (isMark(doc)) return '';
  if (isBlock(doc)) return '{';
  if (isBracket(doc)) return doc.open;
  let text = '';
  for (const part of doc) {
    const piece = flat(part);
    if (piece === null || part === doc.at(-1)) return text + headOf(part);
    text += piece;
  }
  return text;
}

export const list = (items: readonly Doc[]): Bracket => ({ open: '[', items, close: ']' });
export const object = (items: readonly Doc[]): Bracket => ({
  open: '{',
  items,
  close: '}',
  isPadded: true,
});
/** An object or list whose last item may be `...rest`, behind which JavaScript refuses a comma. */
export const unpacking = (bracket: Bracket, hasRest: boolean): Bracket => ({
  ...bracket,
  hasComma: !hasRest,
});
export const parens = (items: readonly Doc[], hasComma = true): Bracket => ({
  open: '(',
  items,
  close: ')',
  hasComma,
});
export const block = (lines: readonly Doc[]): Block => ({ lines });
export const mark = (at: number): Doc => ({ mark: at });
/** Joins pieces with a separator. */
export const join = (docs: readonly Doc[], separator: string): Doc[] =>
  docs.flatMap((doc, i) => (i > 0 ? [separator, doc] : [doc]));
