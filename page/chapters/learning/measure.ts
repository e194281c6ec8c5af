// SPDX-License-Identifier: MIT
// What the answers say about the two models.
import { largestGap } from '../../shared/text.js';
import type { LearningData } from './read.js';

/** What both models were trained on. */
export const trainedWidth = 14;

/** In these rows, a turned bracket is one opening too many or too few. */
export const isClosed = (row: readonly number[]): boolean =>
  2 * row.filter((id) => id === 1).length === row.length;

/** The share of right answers, for a model and a width by their places. */
export function shareRight({ held, says }: LearningData, model: 0 | 1, width: number): number {
  const answers = says[model][width] ?? [];
  const right = held.filter((row, index) => (answers[index] ?? 0) > 0.5 === isClosed(row));
  return right.length / (held.length || 1);
}

export interface Verdict {
  /** Padded as in training; alone, without padding; at the width where it is worst. */
  trained: number;
  alone: number;
  worst: number;
  /** The largest difference that padding makes to an answer. */
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
