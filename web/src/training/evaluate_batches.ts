// SPDX-License-Identifier: MIT
import { checkOptions } from '../base/check.js';
import type { Evaluation } from '../measures/evaluation.js';
import type { EvaluateBatches } from '../model/services.js';
import type { Batches } from '../model/train_options.js';
import type { Layer } from '../layers/layer.js';
import { tidy } from '../tensor/tidy.js';
import { inputsOf } from './data.js';
import { evaluateOptions } from './evaluate_options.js';
import { Objective } from './objective.js';
import { Pace } from './pace.js';
import { applyWithPenalties, weightPenalties } from './regularizers.js';
import { countsOf, IterableSource, type LazyBatch } from './source.js';

/**
 * Calls `use` with each batch, and lets other tasks run between batches. Returns the results; the
 * loss NaN without a batch.
 */
export async function evaluateEach(
  model: Layer,
  { batches, signal }: { batches: Batches; signal: AbortSignal | undefined },
  use: (open: LazyBatch) => void,
  results: () => Evaluation,
): Promise<Evaluation> {
  signal?.throwIfAborted();
  const source = new IterableSource(batches, { ...countsOf(model), signal });
  const pace = new Pace();
  let isEmpty = true;
  for await (const open of source.epoch()) {
    isEmpty = false;
    use(open);
    await pace.yieldIfDue();
    signal?.throwIfAborted();
  }
  return isEmpty ? { loss: Number.NaN } : results();
}

/** Computes losses and metrics of batches; see `evaluate` of Model. */
export const evaluateBatches: EvaluateBatches = async (model, batches, options = {}) => {
  const { signal, ...chosen } = checkOptions(options, {
    loss: 1,
    lossWeights: 1,
    metrics: 1,
    weightedMetrics: 1,
    reduction: 1,
    signal: 1,
  });
  const objective = new Objective(model, evaluateOptions(model, chosen));
  const warned = new Set<string>();
  const use = (open: LazyBatch): void =>
    tidy(() => {
      const batch = open();
      const { outputs, penalties } = applyWithPenalties(model, inputsOf(batch.x), false, warned);
      const all = [...penalties, ...weightPenalties(model)];
      objective.count(objective.cost(outputs, batch, all), batch.rows);
    });
  return evaluateEach(model, { batches, signal }, use, () => {
    const results = objective.results();
    if (!objective.measured.some(({ loss }) => loss)) delete results['loss'];
    return results;
  });
};
