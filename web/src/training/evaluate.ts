// SPDX-License-Identifier: MIT
import { sum } from '../base/array.js';
import { checkOptions, checkInteger } from '../base/check.js';
import { flatInputs, type LayerInputs } from '../layers/args.js';
import type { EvaluateOptions, Evaluation, PerOutput } from '../measures/evaluation.js';
import type { Layer } from '../layers/layer.js';
import { usualBatch } from '../model/usual_batch.js';
import { Data, given, inputsOf } from './data.js';
import { Objective } from './objective.js';
import { applyWithPenalties, weightPenalties } from './regularizers.js';
import { tidy } from '../tensor/tidy.js';
import type { Tensor, TensorLike } from '../tensor/tensor.js';

/** @internal */
export function evaluate(
  model: Layer,
  x: LayerInputs,
  y: PerOutput<TensorLike>,
  options: EvaluateOptions,
): Evaluation {
  const {
    batchSize = usualBatch(model),
    sampleWeight,
    ...chosen
  } = checkOptions(options, {
    loss: 1,
    lossWeights: 1,
    metrics: 1,
    weightedMetrics: 1,
    sampleWeight: 1,
    batchSize: 1,
    reduction: 1,
  });
  checkInteger('batchSize', batchSize, 0, ' (all rows at once)');
  const objective = new Objective(model, chosen);
  const warned = new Set<string>();
  return tidy(() => {
    const total = (penalties: readonly Tensor[]) => sum(penalties.map((penalty) => penalty.item()));
    let penalty = total(weightPenalties(model));
    const data = new Data(given(x), given(flatInputs(y as LayerInputs)), given(sampleWeight));
    const size = batchSize || data.rows;
    for (let first = 0; first < data.rows; first += size) {
      tidy(() => {
        const count = Math.min(size, data.rows - first);
        const batch = data.part(first, count);
        const { outputs, penalties } = applyWithPenalties(model, inputsOf(batch.x), false, warned);
        for (const pair of objective.pairs(outputs, batch)) objective.add(pair);
        penalty += (total(penalties) * count) / data.rows;
      });
    }
    return objective.results(penalty);
  });
}
