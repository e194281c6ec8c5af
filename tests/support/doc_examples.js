// SPDX-License-Identifier: MIT
// The programs of docs/examples/: each says behind its last line of code, after arrows, what it prints.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../docs/examples/', import.meta.url));
const arrow = '// →';

/** Names of the examples of a room, without their ending. */
const examplesOf = (room) =>
  readdirSync(join(root, room), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => basename(entry.name, '.mjs'));

/** The code of an example, and what it says that it prints. */
function readExample(room, name) {
  const lines = readFileSync(join(root, room, `${name}.mjs`), 'utf8')
    .trimEnd()
    .split('\n');
  let end = lines.length;
  while (end > 0 && lines[end - 1].startsWith(arrow)) end--;
  const told = lines.slice(end).map((line) => line.slice(arrow.length + 1));
  return { code: lines.slice(0, end).join('\n'), told: told.join('\n') };
}

/** Puts what an example prints behind its code. */
function writeExample(room, name, code, printed) {
  const told = printed.split('\n').map((line) => `${arrow} ${line}`.trimEnd());
  writeFileSync(join(root, room, `${name}.mjs`), `${[code.trimEnd(), ...told].join('\n')}\n`);
}

const entryOf = (_, name = 'index') =>
  JSON.stringify(String(new URL(`../../dist/${name}.js`, import.meta.url)));

// Consoles show objects in ways of their own: a program that reads the same everywhere prints texts and numbers.
function line(args) {
  for (const value of args) {
    assert.ok(value === null || typeof value !== 'object', 'an example prints texts and numbers');
  }
  return args.map(String).join(' ');
}

/** Runs an example in this process; what it prints. A warning is an error. */
async function runExample(code) {
  const printed = [];
  const { log, warn } = console;
  console.log = (...args) => printed.push(line(args));
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

/**
 * Tests the examples of a room: one for each of `needed` and no other, and each prints what it says. With --write on the
 * command line they are written down instead: read them before they are kept. `before` is called before each.
 */
export function checkRoom(room, needed, before) {
  const examples = examplesOf(room);
  test(`an example for each of ${room}, and for nothing else`, () => {
    assert.deepEqual(examples.toSorted(), needed.toSorted());
  });
  for (const name of examples) {
    test(`${room}/${name} prints what it says`, async () => {
      const { code, told } = readExample(room, name);
      await before();
      const printed = await runExample(code);
      if (process.argv.includes('--write')) writeExample(room, name, code, printed);
      else assert.equal(printed, told);
    });
  }
}
