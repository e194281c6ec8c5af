// SPDX-License-Identifier: MIT
import type { Reader } from '../../engine/worker.js';
import { Advice } from '../../shared/advice.js';

/** Of two models: the first with the mask, the second without. */
type Pair<T> = [T, T];

export interface LearningData {
  /** Rows that are not among those learned from: 1 for “(”, 2 for “)”. */
  held: number[][];
  /** What they are padded to; 0: each row alone, as long as it is. */
  widths: number[];
  /** After each epoch. */
  curve: Pair<number>[];
  /** For each model, width and row: the probability that all is closed. */
  says: Pair<number[][]>;
}

export const learning: Reader = {
  names: ['held', 'widths', 'curve', 'says'],
  read({ held, widths, curve, says }): LearningData {
    const lists = [held, widths, curve, says].every((each) => Array.isArray(each));
    const of = says as number[][][];
    const fits =
      lists &&
      of.length === 2 &&
      (curve as number[][]).length > 0 &&
      of.every(
        (model) =>
          model.length === (widths as number[]).length &&
          model.every((answers) => answers.length === (held as number[][]).length),
      );
    if (!fits)
      throw new Advice(
        'The figure draws `held`, `widths`, `curve` (a pair for each epoch) and `says` (for each of two models and each width an answer to each row).',
      );
    return { held, widths, curve, says } as LearningData;
  },
};
