// SPDX-License-Identifier: MIT
// Measures of the answers of the two models.
import { largestGap } from '../../shared/text.js';
import type { LearningData } from './read.js';

/** Length to which the training rows of both models are padded. */
export const trainedWidth = 14;

/**
 * Whether all brackets are closed; in these rows, only a reversed bracket makes the counts unequal.
 */
export const isClosed = (row: readonly number[]): boolean =>
  2 * row.filter((id) => id === 1).length === row.length;

/** Returns the share of right answers for a model and a width, both by index. */
export const shareRight = (data: LearningData, model: 0 | 1, width: number): number =>
  countRight(data, model, width) / (data.held.length || 1);

/** Returns the number of right answers for a model and a width, both by index. */
export function countRight({ held, says }: LearningData, model: 0 | 1, width: number): number {
  const answers = says[model][width] ?? [];
  return held.filter((row, index) => (answers[index] ?? 0) > 0.5 === isClosed(row)).length;
}

/** Whether a share of right answers is about that of guessing: half of the rows are closed. */
export const isGuess = (share: number): boolean => Math.abs(share - 0.5) < 0.05;

export interface Verdict {
  /** Share of right answers for rows padded as in training. */
  trained: number;
  /** Share of right answers for single rows without padding. */
  alone: number;
  /** Share of right answers at the worst width. */
  worst: number;
  /** Largest change of an answer by padding. */
  moved: number;
}

export function verdictOf(data: LearningData, model: 0 | 1): Verdict {
  const shares = data.widths.map((_, place) => shareRight(data, model, place));
  const at = (width: number) => shares[data.widths.indexOf(width)] ?? Number.NaN;
  const [first = [], ...others] = data.says[model];
  return {
    trained: at(trainedWidth),
    alone: at(0),
    worst: Math.min(...shares),
    moved: Math.max(0, ...others.map((answers) => largestGap(first, answers))),
  };
}
