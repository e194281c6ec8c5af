// SPDX-License-Identifier: MIT
// Texts that are not Python as they are, because of the place from which they were copied.
import { python2 } from './absent.js';
import type { Draft } from './context.js';

const prompt = /^[ \t]*(?:>>>|In ?\[[\d* ]*\]:) ?/m;
const continuation = /^[ \t]*\.\.\.:? ?/;
const fence = /^[ \t]*(?:```|~~~)/m;
/** Python 2's `print x`, whose line may end in a comment. */
const oldStatement = /^([ \t]*print)(?: (?! *[(=>])|(?= *$))((?:"[^"]*"|'[^']*'|[^#"'])*)(#.*)?$/;
/** Signs of word processors and web pages. */
const otherSign = /[\u00a0\u2000-\u200b\u3000“”„‘’–−]/;
/** Strings, comments, and other signs outside of them. */
const signs = new RegExp(
  `"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|"[^"\\n]*"|'[^'\\n]*'|#.*|${otherSign.source}`,
  'g',
);

function plainSign(sign: string): string {
  if (sign.length > 1) return sign;
  if (/[“”„]/.test(sign)) return '"';
  if (/[‘’]/.test(sign)) return "'";
  return /[–−]/.test(sign) ? '-' : ' ';
}

/** Makes lines without code comments; `codeOf` returns the code of a line. */
const onlyCode = (text: string, codeOf: (line: string) => string | null): string =>
  text
    .split('\n')
    .map((line) => codeOf(line) ?? (line.trim() === '' ? '' : `# ${line}`))
    .join('\n');

function ofSession(text: string): string {
  // Notebooks on web pages have their prompts on lines of their own.
  let isCell = false;
  return onlyCode(text, (line) => {
    const [head] = prompt.exec(line) ?? [];
    if (head !== undefined) isCell = line === head && !line.includes('>');
    else if (/^Out ?\[/.test(line)) isCell = false;
    const own = head ?? continuation.exec(line)?.[0];
    return own === undefined ? (isCell ? line : null) : line.slice(own.length);
  });
}

function ofFences(text: string): string {
  let isInside = false;
  return onlyCode(text, (line) => {
    if (!fence.test(line)) return isInside ? line : null;
    isInside = !isInside;
    return null;
  });
}

const steps: readonly (readonly [RegExp, (text: string) => string, string])[] = [
  [fence, ofFences, 'the text around the code is a comment now'],
  [prompt, ofSession, 'prompts are left out, and output is a comment now'],
  [
    otherSign,
    (text) => text.replace(signs, plainSign),
    'blanks and signs of web pages are plain ones now',
  ],
  [
    /^[ \t]*print\b(?! *[(=])/m,
    (text) =>
      text.replace(/^.{1,999}$/gm, (line) =>
        line.replace(oldStatement, (_, head, value, end = '') =>
          `${head}(${value.trimEnd()}) ${end}`.trimEnd(),
        ),
      ),
    python2,
  ],
];

/** Returns a pasted text as Python with as many lines, with notes on what changed. */
export function cleaned(source: string): { text: string; notes: Draft[] } {
  const found: { line: number; text: string }[] = [];
  let text = source;
  for (const [pattern, change, words] of steps) {
    const at = text.search(pattern);
    const next = at < 0 ? text : change(text);
    if (next !== text) found.push({ line: text.slice(0, at).split('\n').length, text: words });
    text = next;
  }
  const lines = text.split('\n');
  const notes = found.map(({ line, text: words }) => ({
    at: lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0),
    kind: words === python2 ? 'guess' : 'ignored',
    text: words,
  }));
  return { text, notes };
}
