// SPDX-License-Identifier: MIT
import { checkOptions } from '../base/check.js';
import type { LayerInputs } from '../layers/args.js';
import type { Model } from '../model/model.js';
import type { EvaluateOptions, Evaluation } from '../measures/evaluation.js';
import type { Batches } from '../model/train_options.js';
import { tidy } from '../tensor/tidy.js';
import { inputsOf } from './data.js';
import { evaluateOptions } from './evaluate_options.js';
import { Objective } from './objective.js';
import { Pace } from './pace.js';
import { applyWithPenalties, weightPenalties } from './regularizers.js';
import { countsOf, IterableSource } from './source.js';

/** Losses and metrics of `evaluateBatches`. Default: those of `compile`. */
export type BatchEvaluation = Omit<EvaluateOptions, 'sampleWeight' | 'batchSize'>;

/**
 * Computes losses and metrics like `Model.evaluate`, of batches `[x, y, sampleWeight?]` that may
 * arrive later: an iterable, a stream, or a function that creates one. Lets other tasks run between
 * batches. Without a batch, the loss is NaN.
 *
 * @example await evaluateBatches(model, rowsOfDatabase(), { loss: 'mse' })
 */
export async function evaluateBatches<Inputs extends LayerInputs>(
  model: Model<Inputs, never>,
  batches: Batches<Inputs>,
  options: BatchEvaluation = {},
): Promise<Evaluation> {
  const checked = checkOptions(options, {
    loss: 1,
    lossWeights: 1,
    metrics: 1,
    weightedMetrics: 1,
    reduction: 1,
  });
  const chosen = evaluateOptions(model as never, checked);
  const source = new IterableSource(batches as Batches, countsOf(model));
  const objective = new Objective(model, chosen);
  const warned = new Set<string>();
  const pace = new Pace();
  let isEmpty = true;
  for await (const open of source.epoch()) {
    isEmpty = false;
    tidy(() => {
      const batch = open();
      const { outputs, penalties } = applyWithPenalties(model, inputsOf(batch.x), false, warned);
      const all = [...penalties, ...weightPenalties(model)];
      objective.count(objective.cost(outputs, batch, all), batch.rows);
    });
    await pace.yieldIfDue();
  }
  if (isEmpty) {
    return { loss: Number.NaN };
  }
  const results = objective.results();
  if (!objective.measured.some(({ loss }) => loss)) delete results['loss'];
  return results;
}
