// SPDX-License-Identifier: MIT
// The data of the chapter "learning", from the variables of its program or of a recorded run.
import type { Reader } from '../../engine/worker.js';
import { Advice } from '../../shared/advice.js';

/** Values of two models: the first with the mask, the second without. */
type Pair<T> = [T, T];

export interface LearningData {
  /** Rows outside the training data: 1 for “(”, 2 for “)”. */
  held: number[][];
  /** Lengths that the rows are padded to; 0 means each row alone, without padding. */
  widths: number[];
  /** Losses after each epoch. */
  curve: Pair<number>[];
  /** Probability of “closed” for each model, width and row. */
  says: Pair<number[][]>;
}

export const learning: Reader = {
  names: ['held', 'widths', 'curve', 'says'],
  read({ held, widths, curve, says }): LearningData {
    const lists = [held, widths, curve, says].every((each) => Array.isArray(each));
    const models = says as number[][][];
    const fits =
      lists &&
      models.length === 2 &&
      (curve as number[][]).length > 0 &&
      models.every(
        (model) =>
          model.length === (widths as number[]).length &&
          model.every((answers) => answers.length === (held as number[][]).length),
      );
    if (!fits)
      throw new Advice(
        'The figure draws `held`, `widths`, `curve` (a pair for each epoch) and `says` (answers by model, width and row).',
      );
    return { held, widths, curve, says } as LearningData;
  },
};
