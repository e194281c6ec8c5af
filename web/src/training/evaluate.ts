// SPDX-License-Identifier: MIT
// Evaluation of rows in memory, by the losses and metrics of a call or of `compile`. Entries
// without `fit` have it, too.
import { checkOptions, checkInteger } from '../base/check.js';
import { isSeveral, isTensorList, type LayerInputs } from '../layers/args.js';
import type { EvaluateOptions, Evaluation, PerOutput } from '../measures/evaluation.js';
import type { Layer } from '../layers/layer.js';
import { usualBatch } from '../model/usual_batch.js';
import { type Data, inputsOf } from './data.js';
import { countsOf, dataOf } from './rows.js';
import { Objective } from './objective.js';
import { applyWithPenalties, weightPenalties } from './regularizers.js';
import { tidy } from '../tensor/tidy.js';
import type { TensorLike } from '../tensor/tensor.js';

/** Computes losses and metrics of batches. */
export interface BatchTest {
  step(batch: Data): void;
  /** Losses and metrics of the batches so far. */
  results(): Evaluation;
}

/** Prepares an evaluation with these losses and metrics. */
export function testWith(model: Layer, chosen: EvaluateOptions): BatchTest {
  const objective = new Objective(model, chosen);
  return {
    step(batch) {
      const { outputs, penalties } = applyWithPenalties(model, inputsOf(batch.x), false);
      const all = [...penalties, ...weightPenalties(model)];
      objective.count(objective.cost(outputs, batch, all), batch.rows);
    },
    results() {
      const results = objective.results();
      // Without a loss, penalties alone are not a result.
      if (!objective.measured.some(({ loss }) => loss)) delete results['loss'];
      return results;
    },
  };
}

/** Rows to evaluate, and the rows of a batch. The tensors are in the scope of the caller. */
export function rowsToTest(
  model: Layer,
  x: LayerInputs,
  y: PerOutput<TensorLike> | null | undefined,
  { batchSize = usualBatch(model), sampleWeight, steps }: EvaluateOptions,
): { readonly data: Data; readonly size: number; readonly rows: number } {
  checkInteger('batchSize', batchSize, 0, ' (all rows at once)');
  if (steps) checkInteger('steps', steps, 1);
  // Refuses a list of another length.
  if (!isTensorList(x)) isSeveral(x, model as never);
  const data = dataOf([x, y, sampleWeight], countsOf(model));
  const size = batchSize || data.rows;
  return { data, size, rows: Math.min(size * (steps || Infinity), data.rows) };
}

/** Options about the rows to evaluate. */
export type RowOptions = Pick<EvaluateOptions, 'batchSize' | 'sampleWeight' | 'steps'>;

/** Options of `evaluate` with losses and metrics. */
export function checkEvaluation(options: EvaluateOptions): {
  readonly rows: RowOptions;
  readonly chosen: EvaluateOptions;
} {
  const { batchSize, sampleWeight, steps, ...chosen } = checkOptions(options, {
    loss: 1,
    lossWeights: 1,
    metrics: 1,
    weightedMetrics: 1,
    sampleWeight: 1,
    batchSize: 1,
    steps: 1,
    reduction: 1,
  });
  return { rows: { batchSize, sampleWeight, steps } as RowOptions, chosen };
}

/** See `evaluate` of Model. @internal */
export function evaluate(
  model: Layer,
  x: LayerInputs,
  y: PerOutput<TensorLike> | null | undefined,
  options: EvaluateOptions,
): Evaluation {
  const { rows: settings, chosen } = checkEvaluation(options);
  return tidy(() => {
    const { data, size, rows } = rowsToTest(model, x, y, settings);
    const { step, results } = testWith(model, chosen);
    for (let first = 0; first < rows; first += size) {
      tidy(() => step(data.part(first, Math.min(size, rows - first))));
    }
    return results();
  });
}
