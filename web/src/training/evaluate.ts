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
  { batchSize = usualBatch(model), sampleWeight }: EvaluateOptions,
): { readonly data: Data; readonly size: number } {
  checkInteger('batchSize', batchSize, 0, ' (all rows at once)');
  // Refuses a list of another length.
  if (!isTensorList(x)) isSeveral(x, model as never);
  const data = dataOf([x, y, sampleWeight], countsOf(model));
  return { data, size: batchSize || data.rows };
}

/** Options of `evaluate` with losses and metrics. */
export function checkEvaluation(options: EvaluateOptions): {
  readonly rows: Pick<EvaluateOptions, 'batchSize' | 'sampleWeight'>;
  readonly chosen: EvaluateOptions;
} {
  const { batchSize, sampleWeight, ...chosen } = checkOptions(options, {
    loss: 1,
    lossWeights: 1,
    metrics: 1,
    weightedMetrics: 1,
    sampleWeight: 1,
    batchSize: 1,
    reduction: 1,
  });
  const rows = {
    ...(batchSize !== undefined && { batchSize }),
    ...(sampleWeight && { sampleWeight }),
  };
  return { rows, chosen };
}

/** See `evaluate` of Model. @internal */
export function evaluate(
  model: Layer,
  x: LayerInputs,
  y: PerOutput<TensorLike> | null | undefined,
  options: EvaluateOptions,
): Evaluation {
  const { rows, chosen } = checkEvaluation(options);
  return tidy(() => {
    const { data, size } = rowsToTest(model, x, y, rows);
    const { step, results } = testWith(model, chosen);
    for (let first = 0; first < data.rows; first += size) {
      tidy(() => step(data.part(first, Math.min(size, data.rows - first))));
    }
    return results();
  });
}
