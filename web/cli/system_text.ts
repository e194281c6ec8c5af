// SPDX-License-Identifier: MIT
// Errors of the operating system in plain words.
import { FormatError } from '../src/base/errors.js';

/** An error of the operating system. */
export interface SystemProblem {
  code?: string;
  message?: string;
}

const reasons: { readonly [code: string]: string } = {
  ENOENT: 'no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'no such file or folder',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** The message about a file that cannot be read or written, with the reason of the system. */
export const systemText = (name: string, { code = '', message = '' }: SystemProblem): string =>
  `${name}: ${reasons[code] ?? message}`;

/** The error of a file that cannot be read or written, with the reason of the system. */
export const systemError = (path: string, error: SystemProblem): FormatError =>
  new FormatError(systemText(path === '-' ? 'standard input' : path || "''", error));
