// SPDX-License-Identifier: MIT
import { known, whole } from '../base/check.js';
import type { LayerInputs } from '../layers/args.js';
import type { EvaluateOptions, Evaluation, PerOutput } from '../measures/evaluation.js';
import type { Layer } from '../layers/layer.js';
import { type Batch, Data, given, inputsOf } from './data.js';
import { Objective } from './objective.js';
import { Regularizers } from './regularizers.js';
import { tidy } from '../tensor/tidy.js';
import type { TensorLike } from '../tensor/tensor.js';

/** Calls the model in inference mode and adds what comes of the batch. */
export function measure(
  model: Layer,
  objective: Objective,
  regularizers: Regularizers,
  batch: Batch & { readonly rows: number },
): void {
  const { outputs, penalties } = regularizers.apply(model, inputsOf(batch.x), false);
  objective.add(objective.cost(outputs, batch, penalties), batch.rows);
}

/** @internal */
export function evaluate(
  model: Layer,
  x: LayerInputs,
  y: PerOutput<TensorLike>,
  options: EvaluateOptions,
): Evaluation {
  const {
    batchSize = 32,
    sampleWeight,
    ...chosen
  } = known(options, {
    loss: 1,
    lossWeights: 1,
    metrics: 1,
    weightedMetrics: 1,
    sampleWeight: 1,
    batchSize: 1,
    reduction: 1,
  });
  whole('batchSize', batchSize, 0, ' (all rows at once)');
  const objective = new Objective(model, chosen);
  const regularizers = new Regularizers();
  return tidy(() => {
    const data = new Data(given(x), given(y), given(sampleWeight));
    const size = batchSize || data.rows;
    for (let first = 0; first < data.rows; first += size) {
      tidy(() => {
        const count = Math.min(size, data.rows - first);
        measure(model, objective, regularizers, data.part(first, count));
      });
    }
    return objective.results();
  });
}
