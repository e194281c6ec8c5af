// SPDX-License-Identifier: MIT
// Values of a program as plain data, for readers. A missing value throws an Advice that names it.
import type { Tensor } from 'maskflow';
import { Advice } from './advice.js';

export const isTensor = (value: unknown): value is Tensor =>
  typeof value === 'object' && value !== null && 'shape' in value && 'array' in value;

const sizes = { cells: 20_000 };

/** Returns a tensor or nested array of the given rank as a nested array. */
export function nested<T>(value: unknown, name: string, rank: number): T {
  const array = isTensor(value) ? value.array() : value;
  let inside: unknown = array;
  let cells = 1;
  for (let depth = 0; depth < rank; depth++) {
    if (!Array.isArray(inside)) throw missing(name, rank);
    cells *= inside.length;
    inside = inside[0];
  }
  if (Array.isArray(inside)) throw missing(name, rank);
  if (cells > sizes.cells)
    throw new Advice(`\`${name}\` has ${cells} numbers; a figure shows at most ${sizes.cells}.`);
  return array as T;
}

const axes = ['', '[…]', '[rows, steps]', '[rows, steps, features]'];
const missing = (name: string, rank: number) =>
  new Advice(
    `The figure draws \`${name}\`, a tensor ${axes[rank] ?? ''}, and the program does not define it.`,
  );
