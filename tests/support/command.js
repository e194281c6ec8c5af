// SPDX-License-Identifier: MIT
// Runs the command in its own process.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tryNode } from './programs.js';

export const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
export const fixtures = (file) =>
  fileURLToPath(new URL(`../fixtures/models/${file}`, import.meta.url));
export const recording = (name) => JSON.parse(readFileSync(fixtures(`${name}.io.json`), 'utf8'));

/** Runs the command; its output is text unless `binary`. */
export function maskflow(args, { input, binary = false, cwd } = {}) {
  const { status, stdout, stderr } = tryNode([program, ...args], { input, cwd });
  return { code: status, out: binary ? stdout : stdout.toString(), err: stderr.toString() };
}

export function succeed(args, options) {
  const result = maskflow(args, options);
  assert.equal(result.code, 0, result.err);
  return result;
}

/**
 * Asserts that the command prints one line without a stack to standard error, and nothing to
 * standard output.
 */
export function fail(args, code, message, options) {
  const result = maskflow(args, options);
  assert.match(result.err, message);
  assert.equal(result.code, code, result.err);
  assert.match(result.err, /^maskflow: [^\n]*\n$/);
  assert.equal(result.out, '');
}

/** Returns a folder for the files of a test, removed at the end. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-cli-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name) => join(folder, name);
  const write = (name, content) => {
    writeFileSync(path(name), content);
    return path(name);
  };
  return { folder, path, write };
}
