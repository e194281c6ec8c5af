// SPDX-License-Identifier: MIT
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { FormatError } from '../src/errors.js';

/** How a file is called in messages. */
export const titleOf = (path: string): string =>
  path === '-' ? 'standard input' : `'${basename(path)}'`;

const reasons: { [code: string]: string } = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be opened',
};

function explained<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new FormatError(`${path}: ${reasons[code] ?? message}`);
  }
}

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

/** Writes a file, or standard output for `-`. */
export function writeBytes(path: string, bytes: Uint8Array): void {
  explained(path, () => {
    if (path !== '-') return writeFileSync(path, bytes);
    // A pipe takes what fits; Node's own writes to descriptors do not wait for it.
    process.stdout.write(bytes);
  });
}
