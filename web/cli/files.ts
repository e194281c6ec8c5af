// SPDX-License-Identifier: MIT
// Reading and writing of files, with errors that name the file and the system's reason.
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { replaceFiles } from '../src/engine/replace_file.js';
import { openOutput } from './output_file.js';
import { systemError } from './system_text.js';

/** Returns the name of a file in messages. */
export const titleOf = (path: string): string =>
  path === '-' ? 'standard input' : `'${basename(path)}'`;

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

/**
 * Writes files whole, the last of which refers to the others: old ones stay until all are on the
 * disk.
 */
export async function writeFiles(files: readonly (readonly [string, Uint8Array])[]): Promise<void> {
  try {
    await replaceFiles(files.map(([path, bytes]) => [path, [bytes]] as const));
  } catch (error) {
    throw systemError(files[0]?.[0] ?? '', error as NodeJS.ErrnoException);
  }
}

/** Writes a file, or standard output for `-`. */
export async function writeBytes(path: string, bytes: Uint8Array): Promise<void> {
  const sink = await openOutput(path);
  try {
    await sink.write(bytes);
  } catch (error) {
    await sink.discard();
    throw error;
  }
  await sink.end();
}
