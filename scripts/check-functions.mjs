// SPDX-License-Identifier: MIT
// Checks that functions have at most 60 lines and blocks nested at most 4 deep, by counting braces.
import { readFileSync } from 'node:fs';
import { checkMain } from './lib/checks.mjs';
import { at, filesUnder, short } from './lib/files.mjs';

const limits = { lines: 60, depth: 4 };

const quiet = [
  /R"\([\s\S]*?\)"/, // a raw string
  /\/\/[^\n]*/,
  /\/\*[\s\S]*?\*\//,
  /"(?:\\.|[^"\\\n])*"/,
  /'(?:\\.|[^'\\\n])*'/,
  /`(?:\\.|[^`\\])*`/,
];
const noise = new RegExp(quiet.map(({ source }) => source).join('|'), 'g');

/** True if `head` precedes the brace of a function: it ends with parameters or an arrow. */
const opensFunction = (head) =>
  /(\)|=>)(\s*(const|noexcept|override|mutable)|\s*->?\s*[\w:<>*&, ]+|\s*:[^;{}]*)*\s*$/.test(
    head,
  ) && !/\b(namespace|class|struct|interface)\b[^()]*$/.test(head);

function complaintsAbout(path) {
  const text = readFileSync(at(path), 'utf8').replace(noise, (part) => part.replace(/[^\n]/g, ''));
  const complaints = [];
  const open = []; // Open braces: { line, isFunction } of each.
  let line = 1;
  let head = '';
  for (const letter of text) {
    if (letter === '\n') line++;
    if (letter === '{') {
      open.push({ line, isFunction: opensFunction(head) });
      const outermost = open.findIndex(({ isFunction }) => isFunction);
      // The braces of the function's own body do not count as nesting.
      if (outermost >= 0 && open.length - outermost - 1 > limits.depth) {
        complaints.push(
          `${path}:${line}: nested ${open.length - outermost - 1} deep, over ${limits.depth}`,
        );
      }
    } else if (letter === '}') {
      const { line: first, isFunction } = open.pop() ?? {};
      const lines = line - first + 1;
      if (isFunction && lines > limits.lines) {
        complaints.push(`${path}:${first}: a function of ${lines} lines, over ${limits.lines}`);
      }
    }
    head = '{};'.includes(letter) ? '' : head + letter;
  }
  return complaints;
}

export const checkFunctions = () =>
  ['src', 'bindings', 'web/src', 'web/cli']
    .flatMap((folder) => filesUnder(folder, /\.(cpp|hpp|ts)$/))
    .map(short)
    .filter((path) => !path.endsWith('.gen.ts'))
    .flatMap(complaintsAbout);

await checkMain(import.meta.url, checkFunctions);
