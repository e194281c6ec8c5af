// SPDX-License-Identifier: MIT
// The only places where the command writes text: names out of files must not steer a terminal.
import { visibleLines } from '../src/base/visible.js';

/** Prints lines on standard output. */
export const print = (text: string): void => console.log(visibleLines(text));

/** Prints lines on standard error. */
export const printError = (text: string): void => console.error(visibleLines(text));

/** JSON in which the characters that cannot be seen are escapes; `spaces` indent it. */
export const jsonText = (value: unknown, spaces = 0): string =>
  visibleLines(JSON.stringify(value, null, spaces));
