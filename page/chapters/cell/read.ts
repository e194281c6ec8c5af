// SPDX-License-Identifier: MIT
// The data of the chapter "cell", from the variables of its program.
import type { Reader } from '../../engine/worker.js';
import { Advice } from '../../shared/advice.js';
import { isTensor, nested } from '../../shared/values.js';

/** The quantities of one step by name, a number for each unit (or feature, or gate and unit). */
export interface Moment {
  [name: string]: number[];
}

export interface CellData {
  ids: number[][];
  mask: boolean[][];
  row: number;
  /** Quantities of each step of the row; a masked step only has its states. */
  moments: Moment[];
  /** Outputs of the layer itself. */
  outputs: number[][];
  weights: { W: number[][]; U: number[][] };
}

export const cell: Reader = {
  names: ['ids', 'mask', 'row', 'steps', 'y', 'W', 'U'],
  read({ ids, mask, row, steps, y, W, U }): CellData {
    const at = Number(row);
    const outputs = nested<number[][][]>(y, 'y', 3)[at];
    if (!Array.isArray(steps) || !outputs || steps.length !== outputs.length)
      throw new Advice(
        'The figure draws `steps`, the results of the equations for each step of the row on view.',
      );
    return {
      ids: nested(ids, 'ids', 2),
      mask: nested(mask, 'mask', 2),
      row: at,
      moments: steps.map(momentOf),
      outputs,
      weights: { W: nested(W, 'W', 2), U: nested(U, 'U', 2) },
    };
  },
};

function momentOf(step: unknown): Moment {
  if (typeof step !== 'object' || step === null)
    throw new Advice('Each item of `steps` must be an object of tensors: { h, … }.');
  const entries = Object.entries(step).map(([name, value]) => {
    const array = isTensor(value) ? value.array() : value;
    return [name, (Array.isArray(array) ? array.flat() : []) as number[]];
  });
  return Object.fromEntries(entries);
}
