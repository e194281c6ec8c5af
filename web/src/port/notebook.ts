// SPDX-License-Identifier: MIT
// Notebooks: their cells as one program, with the lines that are not Python as comments.

interface Cell {
  readonly cell_type?: unknown;
  readonly source?: unknown;
}

/** Returns whether a text is a notebook. */
export const isNotebook = (source: string): boolean =>
  /^\s*\{/.test(source) && /"cells"\s*:/.test(source) && /"nbformat"\s*:/.test(source);

const textOf = (source: unknown): string =>
  Array.isArray(source)
    ? source.filter((line) => typeof line === 'string').join('')
    : typeof source === 'string'
      ? source
      : '';

const comment = (text: string): string =>
  text
    .split('\n')
    .map((line) => `# ${line}`.trimEnd())
    .join('\n');

/** Begins a cell that is not Python, or is written to a file. */
const otherLanguage = /^%%(?!time\b|timeit\b|prun\b|capture\b|memit\b)/;

/** Joins the cells of a notebook: code as it is, text as comments. Throws SyntaxError. */
export function readNotebook(source: string): string {
  const { cells } = JSON.parse(source) as { cells?: unknown };
  if (!Array.isArray(cells)) return '';
  return (cells as Cell[])
    .map((cell) => {
      const text = textOf(cell?.source).replace(/\r\n?/g, '\n').trimEnd();
      if (cell?.cell_type !== 'code') return comment(text);
      const [first = '', ...rest] = text.split('\n');
      return otherLanguage.test(text) ? `${first}\n${comment(rest.join('\n'))}`.trimEnd() : text;
    })
    .filter((text) => text !== '')
    .join('\n\n')
    .concat('\n');
}

/** A line of IPython: a magic, a command of the shell, a request for help. */
const magic = /([ \t]*)([%!?].*|[\w.]+\?{1,2}[ \t]*$)/my;

/** Parts of Python that decide whether the next line begins a statement. */
const token = /#.*|"""|'''|["']|[([{]|[)\]}]|\\\n|\n/g;

export interface Magic {
  readonly at: number;
  readonly line: string;
}

/** Returns the offset behind a string whose quotes end before `from`. */
function endOfString(text: string, from: number, quote: string): number {
  const end = new RegExp(`\\\\[^]|${quote}${quote.length === 1 ? '|\n' : ''}`, 'g');
  end.lastIndex = from;
  for (let found = end.exec(text); found; found = end.exec(text)) {
    // A string in single quotes ends with its line, which is an error.
    if (found[0] === '\n') return found.index;
    if (!found[0].startsWith('\\')) return end.lastIndex;
  }
  return text.length;
}

/** Returns the offset of the end of the line on which a statement ends. */
function endOfStatement(text: string, from: number): number {
  let depth = 0;
  token.lastIndex = from;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [word] = found;
    if (word === '\n' && depth <= 0) return found.index;
    if (/^["']/.test(word)) token.lastIndex = endOfString(text, token.lastIndex, word);
    else if (/[([{]/.test(word[0] as string)) depth++;
    else if (/[)\]}]/.test(word[0] as string)) depth--;
  }
  return text.length;
}

/** Returns a comment of the same length; in a block, with a statement if it has room. */
function commentFor(line: string, isInBlock: boolean): string {
  const words = isInBlock ? ['pass #', '...#', '0#', '0'] : ['#'];
  const word = words.find(({ length }) => length <= line.length) as string;
  return word + line.slice(word.length);
}

/**
 * Makes lines of IPython comments of the same length, and returns their offsets. Lines inside of
 * strings, brackets and longer statements are Python.
 */
export function withoutMagics(source: string): { text: string; magics: Magic[] } {
  const magics: Magic[] = [];
  if (!/^[ \t]*[%!?]|\?[ \t]*$/m.test(source)) return { text: source, magics };
  const parts: string[] = [];
  let [at, done] = [0, 0];
  while (at < source.length) {
    magic.lastIndex = at;
    const [whole = '', indent = '', first = ''] = magic.exec(source) ?? [];
    if (first === '') at = endOfStatement(source, at) + 1;
    else {
      const start = at + indent.length;
      parts.push(source.slice(done, start), commentFor(first, indent !== ''));
      magics.push({ at: start, line: first.trim() });
      at += whole.length;
      // A backslash continues a command of the shell.
      while (source[at - 1] === '\\' && at < source.length) {
        const end = `${source}\n`.indexOf('\n', at + 1);
        parts.push(source.slice(at, end).replace(/\S/, '#'));
        at = end;
      }
      done = at++;
    }
  }
  return { text: parts.join('') + source.slice(done), magics };
}
