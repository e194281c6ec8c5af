// SPDX-License-Identifier: MIT
// Prints values of programs as Node does.
import { inspect as print } from 'loupe';

/** Options of loupe; prints 0 as Node does, where loupe prints +0. */
const options = {
  truncate: 2000,
  depth: 6,
  stylize: (text: string, type: string) => (type === 'number' && text === '+0' ? '0' : text),
};

export const inspect = (value: unknown): string => print(value, options);
