// SPDX-License-Identifier: MIT
// The programs of docs/examples/: the comment after the last line of code, behind arrows, is the
// expected output.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nameDifference } from './name_lists.js';

const root = fileURLToPath(new URL('../../docs/examples/', import.meta.url));
const arrow = '// →';

/** Returns the names of the examples in a folder, without their extension. */
const examplesOf = (room) =>
  readdirSync(join(root, room), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => basename(entry.name, '.mjs'));

/** Returns the code of an example, and its expected output. */
function readExample(room, name) {
  const lines = readFileSync(join(root, room, `${name}.mjs`), 'utf8')
    .trimEnd()
    .split('\n');
  let end = lines.length;
  while (end > 0 && lines[end - 1].startsWith(arrow)) end--;
  const told = lines.slice(end).map((line) => line.slice(arrow.length + 1));
  return { code: lines.slice(0, end).join('\n'), told: told.join('\n') };
}

/** Writes the output of an example after its code. */
function writeExample(room, name, code, printed) {
  const told = printed.split('\n').map((line) => `${arrow} ${line}`.trimEnd());
  writeFileSync(join(root, room, `${name}.mjs`), `${[code.trimEnd(), ...told].join('\n')}\n`);
}

const entryOf = (_, name = 'index') =>
  JSON.stringify(String(new URL(`../../dist/${name}.js`, import.meta.url)));

// Consoles print objects differently, so a program whose output is the same everywhere prints only
// texts and numbers.
function line(args) {
  for (const value of args) {
    assert.ok(value === null || typeof value !== 'object', 'an example prints texts and numbers');
  }
  return args.map(String).join(' ');
}

/** Imports the code of an example as a module. */
function importCode(code) {
  const text = code.replace(/(?<=from )'maskflow(?:\/(\w+))?'/g, entryOf);
  return import(`data:text/javascript,${encodeURIComponent(text)}`);
}

/** Runs an example, `draw/drawMask`, and returns its variable `svg`. */
export async function figureOf(path) {
  const code = readFileSync(join(root, `${path}.mjs`), 'utf8');
  const { svg } = await importCode(`${code}\nexport { svg };`);
  return svg;
}

/** Runs an example in this process and returns its output. A warning is an error. */
async function runExample(code) {
  const printed = [];
  const { log, warn } = console;
  console.log = (...args) => printed.push(line(args));
  console.warn = (...args) => {
    throw new Error(`it warns: ${args.join(' ')}`);
  };
  try {
    await importCode(code);
  } finally {
    Object.assign(console, { log, warn });
  }
  return printed.join('\n');
}

/**
 * Tests the examples of a folder: each name in `needed` has exactly one, and each prints its
 * expected output. With --write on the command line the output is written into the example instead;
 * read it before you commit it. `before` is called before each example.
 */
export function checkRoom(room, needed, before) {
  const examples = examplesOf(room);
  test(`${room} has exactly one example for each name`, () => {
    assert.equal(nameDifference(`docs/examples/${room} (NAME.mjs)`, examples, needed), null);
  });
  for (const name of examples) {
    test(`${room}/${name} prints the expected output`, async () => {
      const { code, told } = readExample(room, name);
      await before();
      const printed = await runExample(code);
      if (process.argv.includes('--write')) writeExample(room, name, code, printed);
      else assert.equal(printed, told);
    });
  }
}
