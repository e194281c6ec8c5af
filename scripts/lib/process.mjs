// SPDX-License-Identifier: MIT
// Starts programs, and ends scripts with their exit code; an error that a user can act on is a
// Failure.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { cpus } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './files.mjs';

/** Returns the path of a program on PATH, or undefined. */
export function which(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {}
  }
  return undefined;
}

/** Runs a program whose output the user sees; resolves to its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Runs a program that must succeed. Its output is shown only when it fails. */
export function runQuietly(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let all = '';
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      all += chunk;
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      all += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve(stdout);
      const tail = all.trimEnd().split('\n').slice(-60).join('\n');
      const called = [command, ...args].join(' ').slice(0, 200);
      reject(new Failure(`${tail}\n${called} failed (exit code ${code})`));
    });
  });
}

/** Returns the output of a program; undefined if it is missing or fails. */
export function output(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', ...options });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/** Runs tasks that start programs, one per core at a time. Returns their results in order. */
export async function onAllCores(tasks) {
  const results = [];
  const waiting = [...tasks.entries()];
  const core = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, task] = next;
      results[index] = await task();
    }
  };
  await Promise.all(cpus().map(core));
  return results;
}

/** An error that is shown to the user without a stack trace. */
export class Failure extends Error {}

/**
 * Returns whether the module with this import.meta.url is the program that was started, and not
 * imported.
 */
export const isProgram = (url) => pathToFileURL(process.argv[1] ?? '').href === url;

/** Ends a script: a Failure prints its message, any other error its stack trace. */
export async function main(body) {
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    console.error(error instanceof Failure ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
