// SPDX-License-Identifier: MIT
// For readers: what a program left, as plain data. What it did not leave is asked for in a sentence.
import type { Tensor } from 'maskflow';
import { Advice } from './advice.js';

export const isTensor = (value: unknown): value is Tensor =>
  typeof value === 'object' && value !== null && 'shape' in value && 'array' in value;

const sizes = { cells: 20_000 };

/** A tensor of some rank (or nested arrays of it) as nested arrays. */
export function nested<T>(value: unknown, name: string, rank: number): T {
  const array = isTensor(value) ? value.array() : value;
  let inside: unknown = array;
  let cells = 1;
  for (let depth = 0; depth < rank; depth++) {
    if (!Array.isArray(inside)) throw lacks(name, rank);
    cells *= inside.length;
    inside = inside[0];
  }
  if (Array.isArray(inside)) throw lacks(name, rank);
  if (cells > sizes.cells)
    throw new Advice(`\`${name}\` has ${cells} numbers: more than a figure can show.`);
  return array as T;
}

const axes = ['', '[…]', '[rows, steps]', '[rows, steps, features]'];
const lacks = (name: string, rank: number) =>
  new Advice(`The figure draws \`${name}\`, a tensor ${axes[rank] ?? ''}; the program left none.`);
