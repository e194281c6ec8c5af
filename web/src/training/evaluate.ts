// SPDX-License-Identifier: MIT
import { checkOptions, checkInteger } from '../base/check.js';
import { flatInputs, isSeveral, isTensorList, type LayerInputs } from '../layers/args.js';
import type { EvaluateOptions, Evaluation, PerOutput } from '../measures/evaluation.js';
import type { Layer } from '../layers/layer.js';
import { countsOf } from '../model/counts.js';
import { usualBatch } from '../model/usual_batch.js';
import { Data, inputsOf, structureOf } from './data.js';
import { Objective } from './objective.js';
import { applyWithPenalties, weightPenalties } from './regularizers.js';
import { tidy } from '../tensor/tidy.js';
import type { TensorLike } from '../tensor/tensor.js';

/** See `evaluate` of Model. @internal */
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
    const counts = countsOf(model);
    // Refuses a list of another length.
    if (!isTensorList(x)) isSeveral(x, model);
    const onWeights = weightPenalties(model);
    const data = new Data(
      structureOf(x, counts.inputs),
      structureOf(flatInputs(y as LayerInputs), counts.outputs),
      structureOf(sampleWeight),
    );
    const size = batchSize || data.rows;
    for (let first = 0; first < data.rows; first += size) {
      tidy(() => {
        const count = Math.min(size, data.rows - first);
        const batch = data.part(first, count);
        const { outputs, penalties } = applyWithPenalties(model, inputsOf(batch.x), false, warned);
        const cost = objective.cost(outputs, batch, [...penalties, ...onWeights]);
        objective.count(cost, count);
      });
    }
    const results = objective.results();
    // Without a loss, penalties alone are not a result.
    if (!objective.measured.some(({ loss }) => loss)) delete results['loss'];
    return results;
  });
}
