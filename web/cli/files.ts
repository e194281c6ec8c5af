// SPDX-License-Identifier: MIT
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { FormatError } from '../src/base/errors.js';
import { type SystemProblem, systemText } from './system_text.js';

/** Returns the name of a file in messages. */
export const titleOf = (path: string): string =>
  path === '-' ? 'standard input' : `'${basename(path)}'`;

/** The error of a file that cannot be read or written, with the reason of the system. */
export const systemError = (path: string, error: SystemProblem): FormatError =>
  new FormatError(systemText(path === '-' ? 'standard input' : path || "''", error));

/** Runs `act`; errors of the system become a FormatError that names the file. */
export function withReason<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw systemError(path, error as NodeJS.ErrnoException);
  }
}

const isAddress = (path: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(path);

/** Throws FormatError if a path has neither file nor folder. Accepts addresses. */
export function checkExists(path: string): void {
  if (!isAddress(path)) withReason(path, () => statSync(path));
}

export const sizeText = (bytes: number): string =>
  bytes < 1e3
    ? `${bytes} bytes`
    : bytes < 1e6
      ? `${(bytes / 1e3).toFixed(1)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;

/** Reads a file, or standard input for `-`. FormatError for a device, which may have no end. */
export function readBytes(path: string): Uint8Array {
  return withReason(path, () => {
    if (path === '-') return readFileSync(0);
    const facts = statSync(path);
    if (facts.isCharacterDevice() || facts.isBlockDevice()) {
      throw new Error('it is a device, not a file');
    }
    return readFileSync(path);
  });
}

/** Throws FormatError if a file cannot be written to a path. Called before a long run. */
export function checkOutput(path: string): void {
  if (path === '-') return;
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts?.isDirectory()) throw new FormatError(`${path} is a folder, not a file`);
  const folder = dirname(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new FormatError(`${path}: the folder '${folder}' does not exist`);
}

/** Writes a file, or standard output for `-`. */
export function writeBytes(path: string, bytes: Uint8Array): void {
  withReason(path, () => {
    if (path !== '-') return writeFileSync(path, bytes);
    // Streams wait for a full pipe; writes to a descriptor do not.
    process.stdout.write(bytes);
  });
}
