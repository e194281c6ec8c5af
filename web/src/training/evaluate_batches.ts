// SPDX-License-Identifier: MIT
// Evaluation of batches that arrive later. Entries without `fit` have it, too.
import { checkInteger, checkOptions } from '../base/check.js';
import type { BatchEvaluation, Evaluation } from '../measures/evaluation.js';
import type { EvaluateBatches } from '../model/services.js';
import type { Batches } from '../model/train_options.js';
import type { Layer } from '../layers/layer.js';
import { tidy } from '../tensor/tidy.js';
import { testWith } from './evaluate.js';
import { evaluateOptions } from './evaluate_options.js';
import { Pace } from './pace.js';
import { countsOf } from './rows.js';
import { IterableSource, type LazyBatch } from './source.js';

/** Functions that are called with each batch. */
interface BatchUse {
  /** Called before the first batch. */
  begin?(): Promise<void>;
  /** Computes a batch; true ends the evaluation. */
  use(open: LazyBatch, batch: number): unknown;
  /** Losses and metrics of all batches. */
  results(): Evaluation;
}

/**
 * Computes each batch, and lets other tasks run between batches. Returns the results; the loss NaN
 * without a batch.
 */
export async function evaluateEach(
  model: Layer,
  { batches, steps, signal }: BatchEvaluation & { batches: Batches },
  each: BatchUse,
): Promise<Evaluation> {
  signal?.throwIfAborted();
  if (steps !== undefined) checkInteger('steps', steps, 1);
  const source = new IterableSource(batches, { ...countsOf(model), steps, signal });
  const pace = new Pace();
  await each.begin?.();
  let batch = 0;
  try {
    for await (const open of source.epoch()) {
      const isLast = (await each.use(open, batch)) === true;
      batch++;
      if (isLast) break;
      await pace.yieldIfDue();
      signal?.throwIfAborted();
    }
  } finally {
    await source.close();
  }
  return batch === 0 ? { loss: Number.NaN } : each.results();
}

/** Computes losses and metrics of batches; see `evaluate` of Model. */
export const evaluateBatches: EvaluateBatches = async (model, batches, options = {}) => {
  const { steps, signal, ...chosen } = checkOptions(options, {
    loss: 1,
    lossWeights: 1,
    metrics: 1,
    weightedMetrics: 1,
    reduction: 1,
    steps: 1,
    signal: 1,
  });
  const { step, results } = testWith(model, evaluateOptions(model, chosen));
  const use = (open: LazyBatch): void => tidy(() => step(open()));
  return evaluateEach(model, { batches, steps, signal }, { use, results });
};
