// SPDX-License-Identifier: MIT
// Prints all text of the command. Control characters of names in files must not reach a terminal.
import { visibleLines } from '../src/base/visible.js';

/** Prints lines on standard output. */
export const print = (text: string): void => console.log(visibleLines(text));

/** Prints lines on standard error. */
export const printError = (text: string): void => console.error(visibleLines(text));

/** Returns JSON with escapes for invisible characters, indented by `spaces`. */
export const jsonText = (value: unknown, spaces = 0): string =>
  visibleLines(JSON.stringify(value, null, spaces));
