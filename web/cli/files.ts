// SPDX-License-Identifier: MIT
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { FormatError } from '../src/base/errors.js';

/** How a file is called in messages. */
export const titleOf = (path: string): string =>
  path === '-' ? 'standard input' : `'${basename(path)}'`;

const reasons: { [code: string]: string } = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'there is no such file or folder',
  EACCES: 'it may not be opened',
  EROFS: 'nothing can be written there',
  ENOSPC: 'there is no space left',
};

function explained<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const name = path === '-' ? 'standard input' : path || "''";
    throw new FormatError(`${name}: ${reasons[code] ?? message}`);
  }
}

const isAddress = (path: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(path);

/** FormatError for a path without a file or folder. */
export function checkThere(path: string): void {
  if (!isAddress(path)) explained(path, () => statSync(path));
}

export const sizeText = (bytes: number): string =>
  bytes < 1e3
    ? `${bytes} bytes`
    : bytes < 1e6
      ? `${(bytes / 1e3).toFixed(1)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;

/** The bytes of a file, or of standard input for `-`. FormatError for a device, which may have no end. */
export function readBytes(path: string): Uint8Array {
  return explained(path, () => {
    if (path === '-') return readFileSync(0);
    const facts = statSync(path);
    if (facts.isCharacterDevice() || facts.isBlockDevice()) {
      throw new Error('it is a device, not a file');
    }
    return readFileSync(path);
  });
}

/** FormatError for a path that no file can have: to be told before a long run, not after it. */
export function checkOutput(path: string): void {
  if (path === '-') return;
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts?.isDirectory()) throw new FormatError(`${path} is a folder, not a file`);
  const folder = dirname(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new FormatError(`${path}: there is no folder '${folder}'`);
}

/** Writes a file, or standard output for `-`. */
export function writeBytes(path: string, bytes: Uint8Array): void {
  explained(path, () => {
    if (path !== '-') return writeFileSync(path, bytes);
    // A pipe takes what fits; Node's own writes to descriptors do not wait for it.
    process.stdout.write(bytes);
  });
}
