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

/** Joins the cells of a notebook: code as it is, text as comments. Throws SyntaxError. */
export function readNotebook(source: string): string {
  const { cells } = JSON.parse(source) as { cells?: unknown };
  if (!Array.isArray(cells)) return '';
  return (cells as Cell[])
    .map((cell) => {
      const text = textOf(cell?.source).replace(/\r\n?/g, '\n').trimEnd();
      if (cell?.cell_type === 'code') return text;
      return text
        .split('\n')
        .map((line) => `# ${line}`.trimEnd())
        .join('\n');
    })
    .filter((text) => text !== '')
    .join('\n\n')
    .concat('\n');
}

/** A line of IPython: a magic, a command of the shell, a request for help. */
const magic = /^([ \t]*)([%!?].*|[\w.]+\?{1,2}[ \t]*)$/gm;

/** Makes lines of IPython comments of the same length, and returns their offsets. */
export function withoutMagics(source: string): {
  text: string;
  magics: { at: number; line: string }[];
} {
  const magics: { at: number; line: string }[] = [];
  if (!/^[ \t]*[%!?]|\?\s*$/m.test(source)) return { text: source, magics };
  const text = source.replace(magic, (_, indent: string, line: string, at: number) => {
    magics.push({ at, line: line.trim() });
    // A block needs a statement.
    const word = indent !== '' && line.length > 'pass #'.length ? 'pass #' : '#';
    return `${indent}${word}${line.slice(word.length)}`;
  });
  return { text, magics };
}
