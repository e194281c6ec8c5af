// SPDX-License-Identifier: MIT
// The data of the chapter "proof". It is apart from the other readers, so that the first worker
// loads only this one.
import type { Reader } from '../../engine/worker.js';
import { Advice } from '../../shared/advice.js';

export interface ProofData {
  /**
   * For each number of empty places: the probability of “balanced” with the mask, and without it.
   */
  answers: [number, number][];
}

export const proof: Reader = {
  names: ['answers'],
  read({ answers }): ProofData {
    const rows = Array.isArray(answers) ? answers : [];
    const numbers = rows.filter(
      (row) =>
        Array.isArray(row) && row.length === 2 && row.every((each) => typeof each === 'number'),
    );
    if (numbers.length === 0 || numbers.length !== rows.length || numbers.length > 1001) {
      throw new Advice(
        'The figure draws `answers`: for each number of empty places a pair, with the mask and without.',
      );
    }
    return { answers: numbers as [number, number][] };
  },
};
