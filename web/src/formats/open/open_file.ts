// SPDX-License-Identifier: MIT
import { FormatError } from '../../base/errors.js';
import type { SourceOptions } from '../../base/model_source.js';
import type { Budget } from './budget.js';

/** A file that was read. */
export interface OpenFile {
  /** For messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What may still be spent on reading it, and the files beside it. */
  readonly budget: Budget;
  /** In place of bytes: JSON that came parsed. */
  readonly json?: unknown;
  /** Of several files: the others. */
  readonly others?: readonly OtherFile[];
  /** Another file beside this one, by relative path, of at most so many bytes; FormatError when there is none. */
  sibling(path: string, most: number): Promise<OpenFile>;
}

export interface OtherFile {
  readonly name: string;
  open(): Promise<OpenFile>;
}

/** How a file is opened. */
export interface Opening extends SourceOptions {
  readonly budget: Budget;
  /** A shard has at most so many bytes; undefined for the file of a model, which is recognised by its first ones. */
  readonly most?: number | undefined;
}

/** FormatError for more than may be read, before it is there. */
export function checkSize(size: number, file: string, { most, budget }: Opening): void {
  if (size > budget.bytesLeft) budget.read(size, file);
  if (most !== undefined && size > most) {
    throw new FormatError(
      `${file} has ${size} bytes or more, but its weights take ${most}; does it belong to this model.json?`,
    );
  }
}

/** What a file may name beside itself: nothing outside of its folder. */
export function checkBeside(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/');
  const leaves = parts[0] === '' || parts.includes('..') || (parts[0] as string).includes(':');
  if (!leaves && !path.includes('\0')) return path;
  throw new FormatError(`the file names '${path}', which is not beside it; that is not followed`);
}
