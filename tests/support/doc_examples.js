// SPDX-License-Identifier: MIT
// The programs of docs/examples/: each says behind its last line of code, after arrows, what it prints.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../docs/examples/', import.meta.url));
const arrow = '// → ';

/** Names of the examples of a room, without their ending. */
export const examplesOf = (room) =>
  readdirSync(join(root, room))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => basename(name, '.mjs'));

/** The code of an example, and what it says that it prints. */
export function readExample(room, name) {
  const lines = readFileSync(join(root, room, `${name}.mjs`), 'utf8')
    .trimEnd()
    .split('\n');
  let end = lines.length;
  while (end > 0 && lines[end - 1].startsWith(arrow.trimEnd())) end--;
  const told = lines.slice(end).map((line) => line.slice(arrow.length));
  return { code: lines.slice(0, end).join('\n'), told: told.join('\n') };
}

/** Puts what an example prints behind its code. */
export function writeExample(room, name, printed) {
  const { code } = readExample(room, name);
  const told = printed.split('\n').map((line) => (arrow + line).trimEnd());
  writeFileSync(join(root, room, `${name}.mjs`), `${[code.trimEnd(), ...told].join('\n')}\n`);
}

const entryOf = (_, name = 'index') =>
  JSON.stringify(String(new URL(`../../dist/${name}.js`, import.meta.url)));

// Consoles show objects in ways of their own: a program that reads the same everywhere prints texts and numbers.
function line(args) {
  for (const value of args) {
    assert.ok(value === null || typeof value !== 'object', 'an example prints texts and numbers');
  }
  return args.join(' ');
}

/** Runs an example in this process; what it prints. A warning is an error. */
export async function runExample(code) {
  const printed = [];
  const { log, warn } = console;
  console.log = (...args) => printed.push(line(args.map((value) => value ?? String(value))));
  console.warn = (...args) => {
    throw new Error(`it warns: ${args.join(' ')}`);
  };
  try {
    const text = code.replace(/(?<=from )'maskflow(?:\/(\w+))?'/g, entryOf);
    await import(`data:text/javascript,${encodeURIComponent(text)}`);
  } finally {
    Object.assign(console, { log, warn });
  }
  return printed.join('\n');
}
