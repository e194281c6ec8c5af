// SPDX-License-Identifier: MIT
// The data of the chapter "steps": the outputs with the mask and without.
import type { Reader } from '../../engine/worker.js';
import { Advice } from '../../shared/advice.js';
import { isTensor, nested } from '../../shared/values.js';

/** The output of a layer: one sequence [rows, steps, features], or two for merge mode None. */
export type Run = number[][][][];

export interface StepsData {
  ids: number[][];
  mask: boolean[][];
  masked: Run;
  bare: Run;
}

export const steps: Reader = {
  names: ['ids', 'mask', 'masked', 'bare'],
  read: ({ ids, mask, masked, bare }): StepsData => ({
    ids: nested(ids, 'ids', 2),
    mask: nested(mask, 'mask', 2),
    masked: runOf(masked, 'masked'),
    bare: runOf(bare, 'bare'),
  }),
};

function runOf(value: unknown, name: string): Run {
  const all = (Array.isArray(value) ? value : [value]).filter(isTensor);
  const sequences = all.filter((each) => each.rank === 3).slice(0, 2);
  if (sequences.length === 0)
    throw new Advice(`The figure draws \`${name}\`, the output of a layer with returnSequences.`);
  return sequences.map((each) => nested(each, name, 3));
}
