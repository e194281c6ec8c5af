// SPDX-License-Identifier: MIT
// Line breaks in minified files: Node prints the whole line of an error that nobody caught. A semicolon between two
// statements becomes a newline, which costs a page nothing; the places of all else, and so the source map, stay.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { readIfThere } from '../lib/files.mjs';

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The numbers of a segment of a source map. */
export function decode(segment) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const c of segment) {
    const digit = digits.indexOf(c);
    value += (digit & 31) * 2 ** shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -Math.floor(value / 2) : value / 2);
    value = 0;
    shift = 0;
  }
  return numbers;
}

function encode(numbers) {
  let text = '';
  for (const number of numbers) {
    let rest = number < 0 ? -number * 2 + 1 : number * 2;
    do {
      const more = rest >= 32;
      text += digits[(rest % 32) + (more ? 32 : 0)];
      rest = Math.floor(rest / 32);
    } while (rest > 0);
  }
  return text;
}

const lineStarts = (code) => [0, ...[...code.matchAll(/\n/g)].map(({ index }) => index + 1)];

/** Mappings of `before` for `after`, which has newlines in other places and is as long. */
export function moveMappings(mappings, before, after) {
  const [from, to] = [lineStarts(before), lineStarts(after)];
  const lines = to.map(() => []);
  let line = 0;
  mappings.split(';').forEach((segments, i) => {
    let column = 0;
    for (const segment of segments.split(',').filter(Boolean)) {
      const [step, ...rest] = decode(segment);
      column += step;
      const at = from[i] + column;
      while (line + 1 < to.length && to[line + 1] <= at) line++;
      lines[line].push([at - to[line], rest]);
    }
  });
  const encoded = lines.map((segments) => {
    let last = 0;
    return segments.map(([column, rest]) => {
      const text = encode([column - last, ...rest]);
      last = column;
      return text;
    });
  });
  return encoded.map((segments) => segments.join(',')).join(';');
}

const ended = new Set([
  'ExpressionStatement',
  'ReturnStatement',
  'ThrowStatement',
  'VariableDeclaration',
  'BreakStatement',
  'ContinueStatement',
]);

/** Does the statement end with a semicolon that a newline can stand for? */
function endsItself(statement) {
  if (statement.type === 'IfStatement') {
    return endsItself(statement.alternate ?? statement.consequent);
  }
  return ended.has(statement.type);
}

/** Behind a newline these would go on with the statement before it. */
const goesOn = /[([`+\-*/.,?:=<>&|^%]/;

/** Every list of statements below a node. */
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

/** The code with newlines in place of semicolons between statements, where they mean the same. */
export function breakLines(code) {
  const characters = code.split('');
  for (const list of listsIn(parseAst(code, { lang: 'js' }))) {
    list.forEach((statement, i) => {
      const { end } = statement;
      const next = list[i + 1];
      if (code[end - 1] !== ';' || !endsItself(statement) || next?.start !== end) return;
      if (!goesOn.test(code[end])) characters[end - 1] = '\n';
    });
  }
  return characters.join('');
}

/** The same for a file with its map, if it has one. */
export function breakLinesOf(path) {
  const code = readFileSync(path, 'utf8');
  const broken = breakLines(code);
  writeFileSync(path, broken);
  const text = readIfThere(`${path}.map`);
  if (!text) return;
  const map = JSON.parse(text);
  map.mappings = moveMappings(map.mappings, code, broken);
  // Names and lines are what a stack needs; the sources are two thirds of the bytes. Empty, not left out: bundlers would look for
  // the files and warn that they are missing.
  map.sourcesContent = map.sources.map(() => '');
  writeFileSync(`${path}.map`, JSON.stringify(map));
}
