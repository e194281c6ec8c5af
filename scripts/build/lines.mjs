// SPDX-License-Identifier: MIT
// Line breaks in minified files: Node prints the whole line of an uncaught error. A semicolon
// between two statements becomes a newline, which adds no bytes. All other characters, and so the
// places in the source map, keep their offsets.
import { readFileSync, writeFileSync } from 'node:fs';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { parseAst } from 'rolldown/parseAst';
import { readIfThere } from '../lib/files.mjs';

/** Returns the offset at which each line begins. */
export const lineStarts = (code) => [0, ...[...code.matchAll(/\n/g)].map(({ index }) => index + 1)];

/**
 * Converts the mappings of `before` for `after`, which has the same length but other line breaks.
 */
export function moveMappings(mappings, before, after) {
  const [oldStarts, newStarts] = [lineStarts(before), lineStarts(after)];
  const lines = newStarts.map(() => []);
  let line = 0;
  decode(mappings).forEach((segments, row) => {
    for (const [column, ...original] of segments) {
      const offset = oldStarts[row] + column;
      while (line + 1 < newStarts.length && newStarts[line + 1] <= offset) line++;
      lines[line].push([offset - newStarts[line], ...original]);
    }
  });
  return encode(lines);
}

const endsWithSemicolon = new Set([
  'ExpressionStatement',
  'ReturnStatement',
  'ThrowStatement',
  'VariableDeclaration',
  'BreakStatement',
  'ContinueStatement',
]);

/** True if a newline can replace the semicolon at the end of a statement. */
function canEndWithNewline(statement) {
  if (statement.type === 'IfStatement') {
    return canEndWithNewline(statement.alternate ?? statement.consequent);
  }
  return endsWithSemicolon.has(statement.type);
}

/** Characters that would continue the statement before a newline. */
const continues = /[([`+\-*/.,?:=<>&|^%]/;

/** Yields all lists of statements inside a node. */
function* listsIn(node) {
  if (Array.isArray(node)) {
    for (const item of node) yield* listsIn(item);
  } else if (node && typeof node === 'object') {
    if (node.type === 'Program' || node.type === 'BlockStatement' || node.type === 'StaticBlock') {
      yield node.body;
    }
    if (node.type === 'SwitchCase') yield node.consequent;
    for (const value of Object.values(node)) if (typeof value === 'object') yield* listsIn(value);
  }
}

/** Replaces semicolons between statements by newlines, where both mean the same. */
export function breakLines(code) {
  const characters = code.split('');
  for (const list of listsIn(parseAst(code, { lang: 'js' }))) {
    list.forEach((statement, i) => {
      const { end } = statement;
      const next = list[i + 1];
      if (code[end - 1] !== ';' || !canEndWithNewline(statement) || next?.start !== end) return;
      if (!continues.test(code[end])) characters[end - 1] = '\n';
    });
  }
  return characters.join('');
}

/** Breaks the lines of a file, and adapts its source map if it has one. */
export function breakLinesOf(path) {
  const code = readFileSync(path, 'utf8');
  const broken = breakLines(code);
  writeFileSync(path, broken);
  const text = readIfThere(`${path}.map`);
  if (!text) return;
  const map = JSON.parse(text);
  map.mappings = moveMappings(map.mappings, code, broken);
  writeFileSync(`${path}.map`, JSON.stringify(map));
}
