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

/** Returns the program of a cell: one in another language becomes comments. */
function programOfCell(text: string): string {
  if (!otherLanguage.test(text)) return text;
  const [first = '', ...rest] = text.split('\n');
  return `${first}\n${comment(rest.join('\n').trimEnd())}`.trimEnd();
}

/** A line of Python, which ends a cell in another language if it follows a blank line. */
const python =
  /^(?:from \S+ import |import [\w.]+(?: as \w+)?\s*$|(?:def|class) \w|@\w|[%!?]\w|(?:for|if|while|with|try)\b.*:\s*$|\w[\w.]*(?:\[.*\])?(?:, ?\w+)* [-+*/]?= .*[^;\x7b]$|[\w.]+\(.*[^;\x7b]$)/;
/** A mark of the next cell. */
const nextCell = /^(?:%%|# ?%%|# In ?\[)/;

/** Returns the line behind a cell in another language; a file that is written may be Python. */
function endOfCell(lines: readonly string[], from: number): number {
  const isFile = /^%%(?:write)?file/.test(lines[from] as string);
  let end = from + 1;
  for (let at = end; at < lines.length; at++) {
    const line = (lines[at] as string).slice(0, 200);
    if (nextCell.test(line) || (!isFile && end < at && python.test(line))) return end;
    if (line.trim() !== '') end = at + 1;
  }
  return lines.length;
}

/** Returns a pasted text as one program: its cells in other languages become comments. */
export function programOfText(text: string): string {
  if (!/^%%/m.test(text)) return text;
  const lines = text.split('\n');
  const cells: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = otherLanguage.test(lines[at] as string) ? endOfCell(lines, at) : at + 1;
    cells.push(programOfCell(lines.slice(at, end).join('\n')));
    at = end;
  }
  return cells.join('\n');
}

/** Joins the cells of a notebook: code as it is, text as comments. Throws SyntaxError. */
export function readNotebook(source: string): string {
  const { cells } = JSON.parse(source) as { cells?: unknown };
  if (!Array.isArray(cells)) return '';
  return (cells as Cell[])
    .map((cell) => {
      const text = textOf(cell?.source).replace(/\r\n?/g, '\n').trimEnd();
      return cell?.cell_type === 'code' ? programOfCell(text) : comment(text);
    })
    .filter((text) => text !== '')
    .join('\n\n')
    .concat('\n');
}

/** A line of IPython: a magic, a command of the shell, a request for help. */
const magic =
  /([ \t]*)([%!?].*|[\w.*]+\?{1,2}[ \t]*$|(?:pip3?|conda) (?:un)?install\b.*|get_ipython\(\)\.(?:system|magic|run_line_magic)\((?!.time\b).*\)[ \t]*$)/my;
/** A line with any of these, or with the output of a command, as in `files = !ls`. */
const anyMagic = /^[ \t]*(?:[%!?]|pip|conda|get_ip)|\?[ \t]*$|=[ \t]*[%!]/m;
/** `%time` before Python, which remains. */
const timed = /^%time(?=[ \t]+[^\s!%\\])/;

/** Parts of Python that decide whether the next line begins a statement. */
const token = /#.*|"""|'''|["']|[([{]|[)\]}]|\\\n|\n|(?<!=)=[ \t]*[%!]/g;

export interface Magic {
  readonly at: number;
  readonly text: string;
}

/** A character of names for the parser alone; Python and JavaScript refuse it. */
export const commandSign = '\ue000';

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

/** Returns the offset of the end of a statement's line, or of a command whose output it assigns. */
function endOfStatement(text: string, from: number): number {
  let depth = 0;
  token.lastIndex = from;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [word] = found;
    if (word === '\n' && depth <= 0) return found.index;
    if (word[0] === '=' && depth <= 0) return token.lastIndex - 1;
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
 * Makes lines of IPython comments of the same length, and names of the commands whose output is
 * assigned. Returns the offsets of the lines. Those inside of strings, brackets and longer
 * statements are Python.
 */
export function withoutMagics(source: string): { text: string; magics: Magic[] } {
  const magics: Magic[] = [];
  if (!anyMagic.test(source)) return { text: source, magics };
  const parts: string[] = [];
  let [at, done] = [0, 0];
  const replace = (from: number, to: number, text: string): void => {
    parts.push(source.slice(done, from), text);
    done = to;
  };
  while (at < source.length) {
    magic.lastIndex = at;
    const [, indent = '', line = ''] = magic.exec(source) ?? [];
    const start = line ? at + indent.length : endOfStatement(source, at);
    let end = endOfLine(source, start);
    const command = source.slice(start, end);
    if (timed.test(command)) {
      replace(start, start + 5, line ? 'pass;' : '     ');
      magics.push({ at: start, text: '%time is left out; the statement remains' });
      at = start + 5;
      continue;
    }
    if (line) {
      replace(start, end, commentFor(command, indent !== ''));
      magics.push({
        at: start,
        text: `${line.trim()} is a command of IPython; ${otherLanguage.test(line) ? 'its cell' : 'it'} is a comment now`,
      });
    } else if (command) replace(start, end, commandSign.repeat(command.length));
    // A backslash continues a command of the shell.
    while (command && source[end - 1] === '\\' && end < source.length) {
      const from = end;
      end = endOfLine(source, end + 1);
      replace(from, end, source.slice(from, end).replace(/\S/, '#'));
    }
    at = end + 1;
  }
  return { text: parts.join('') + source.slice(done), magics };
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}
