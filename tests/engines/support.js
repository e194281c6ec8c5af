// SPDX-License-Identifier: MIT
// Rows for the engines, what one process makes of them, and programs that run beside the test.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at } from '../../scripts/lib/files.mjs';
import { output } from '../../scripts/lib/process.mjs';
import { program } from '../support/command.js';

export const model = at('tests', 'fixtures', 'trained', 'brackets.keras');

/** Returns a folder with rows.csv: a key and six ids in each line. */
export function makeRows(count) {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-engines-'));
  const lines = Array.from({ length: count }, (_, row) => {
    const ids = Array.from(
      { length: 6 },
      (_, step) => 1 + ((row * 7 + step * step * (row % 11)) % 6),
    );
    return ['u', row, ',', ids.join()].join('');
  });
  writeFileSync(join(folder, 'rows.csv'), `${lines.join('\n')}\n`);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Keys and results of the rows, computed by one process. */
export function oneProcess(folder) {
  const args = 'run -i rows.csv --no-header --id 1 --format csv --threads 1 -q'.split(' ');
  const [command, ...options] = args;
  const text = output(process.execPath, [program, command, model, ...options], { cwd: folder });
  return `${text.split('\n').slice(1).join('\n').trimEnd()}\n`;
}

/**
 * Starts a program; `line` resolves with the first line of its output that fits, `end` with its
 * code.
 */
export function start(command, args, { cwd, env = {} }) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env } });
  let said = '';
  const listeners = new Set();
  const hear = (piece) => {
    said += piece;
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = once(child, 'close');
  const line = (pattern) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(said);
        if (found) resolve(found);
      };
      listeners.add(look);
      look();
      ended.then(() => reject(new Error(`${command} ended: ${said}`)), reject);
    });
  const end = async () => {
    const [code] = await ended;
    assert.equal(code, 0, said);
    return said;
  };
  return { line, end };
}

/** Asserts that the file has exactly the lines that one process writes, in their order. */
export function checkScores(folder, file, expected) {
  const actual = readFileSync(join(folder, file), 'utf8');
  if (actual === expected) return;
  const [lines, wanted] = [actual, expected].map((text) => text.split('\n'));
  assert.equal(lines.length, wanted.length, 'number of rows');
  const first = lines.findIndex((line, i) => line !== wanted[i]);
  assert.equal(lines[first], wanted[first], `row ${first}`);
}
