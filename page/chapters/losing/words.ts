// SPDX-License-Identifier: MIT
// Which words belong to the numbers of a program.
import { type Batch, wordsInCells } from '../../shared/batch.js';

/** Returns the row with the most padding; the first one if several have as much. */
export function emptiest(mask: readonly boolean[][]): number {
  const empty = mask.map((row) => row.filter((keep) => !keep).length);
  return Math.max(0, empty.indexOf(Math.max(...empty)));
}

/** Returns the words of a row of the batch; an edited program may have another batch. */
export function wordsOf(batch: Batch, row: number, mask: readonly boolean[]): string[] {
  const words = wordsInCells(batch)[row] ?? [];
  const fits = words.length === mask.length;
  return mask.map((keep, t) => (fits && words[t]) || (keep ? `step ${t}` : 'padding'));
}

/** Returns the kept steps of each row as words, in their order. */
export const wordOf = (batch: Batch, row: number, index: number): string =>
  batch.words[row]?.[index] ?? '';
