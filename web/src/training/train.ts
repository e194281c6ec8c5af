// SPDX-License-Identifier: MIT
// Implements the services of models for maskflow/train.
import { checkInteger, checkOptions } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import type { Layer } from '../layers/layer.js';
import type { LayerInputs } from '../layers/args.js';
import type { BatchEvaluation, EvaluateOptions, Evaluation } from '../measures/evaluation.js';
import type { Model } from '../model/model.js';
import type { Evaluate, Training } from '../model/services.js';
import type { Batches, Logs, ModelMetric } from '../model/train_options.js';
import { usualBatch } from '../model/usual_batch.js';
import { tidy } from '../tensor/tidy.js';
import { rehearse } from './check.js';
import { checkClassWeight } from './class_weights.js';
import { type Compiled, compile, compiledOf } from './compiled.js';
import { evaluate } from './evaluate.js';
import { evaluateBatches as evaluateWithLosses, evaluateEach } from './evaluate_batches.js';
import { evaluateOptions } from './evaluate_options.js';
import { fit } from './fit.js';
import { structureOf } from './data.js';
import { scalarOf } from './added_losses.js';
import { lossesOfLayers } from './layer_losses.js';
import { ownStep } from './own_step.js';
import { countsOf, dataOf, type LazyBatch, oneBatch } from './source.js';
import { testStep, totalOf, trainStep, usualTestStep, usualTrainStep } from './step.js';
import { resultsOf, trackedMetrics } from './tracked_metrics.js';

const onBatch: Training['onBatch'] = (model, x, y, options, training) => {
  const compiled = compiledOf(model, training ? 'trainOnBatch' : 'testOnBatch');
  const { sampleWeight, classWeight } = checkOptions(options, { sampleWeight: 1, classWeight: 1 });
  checkClassWeight(classWeight, sampleWeight);
  const { objective } = compiled;
  return tidy(() => {
    const data = oneBatch([x, y, sampleWeight], countsOf(model), classWeight);
    const open = () => data;
    if (!model.built || objective.measured.length === 0) rehearse(compiled, open);
    compiled.reset();
    if (training) trainStep(compiled, open);
    else testStep(compiled, open);
    return compiled.results() as Logs;
  });
};

/** Evaluates batch by batch with the step of the model's class. */
function evaluateSteps(
  compiled: Compiled,
  x: unknown,
  y: unknown,
  options: EvaluateOptions,
): Evaluation {
  const { model } = compiled;
  type Own = Pick<EvaluateOptions, 'batchSize' | 'sampleWeight'>;
  const { batchSize = usualBatch(model), sampleWeight } = checkOptions<Own>(options, {
    batchSize: 1,
    sampleWeight: 1,
  });
  checkInteger('batchSize', batchSize, 0, ' (all rows at once)');
  return tidy(() => {
    const data = dataOf([x, y, sampleWeight], countsOf(model));
    const size = batchSize || data.rows;
    compiled.reset();
    for (let first = 0; first < data.rows; first += size) {
      testStep(compiled, () => data.part(first, Math.min(size, data.rows - first)));
    }
    return compiled.results();
  });
}

/** Whether the class of a model has a step of its own, or tracks metrics of its own. */
const hasOwnSteps = (model: Layer): boolean =>
  ownStep(model, false) !== null || trackedMetrics(model).length > 0;

/** See `evaluate` of Model, which may be compiled. */
export const evaluateCompiled: Evaluate = (model, x, y, options) => {
  const { compiled } = model as Layer & { compiled?: Compiled };
  return compiled && hasOwnSteps(model)
    ? evaluateSteps(compiled, x, y, options)
    : evaluate(model, x, y, evaluateOptions(model, options));
};

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
  const layer = model as Layer & { compiled?: Compiled };
  const { compiled } = layer;
  if (!compiled || !hasOwnSteps(layer)) {
    return evaluateWithLosses(layer, batches as Batches, options);
  }
  const { signal } = checkOptions<Pick<BatchEvaluation, 'signal'>>(options, { signal: 1 });
  compiled.reset();
  const use = (open: LazyBatch): void => tidy(() => testStep(compiled, open));
  const source = { batches: batches as Batches, signal };
  return evaluateEach(layer, source, use, () => compiled.results());
}

/** The usual step of a model, on the data of a step of its class. */
const step: Training['step'] = (model, data, training) => {
  const compiled = compiledOf(model, training ? 'trainStep' : 'testStep');
  const open = () => oneBatch(data, countsOf(model), undefined);
  if (training) usualTrainStep(compiled, open);
  else usualTestStep(compiled, open);
  return compiled.objective.results() as Logs;
};

const computeLoss: Training['computeLoss'] = (model, y, yPred, sampleWeight) => {
  const { objective } = compiledOf(model, 'computeLoss');
  const batch = { x: structureOf(null), y: structureOf(y), weights: structureOf(sampleWeight) };
  const total = totalOf(objective.cost(yPred, batch, lossesOfLayers.of(model).map(scalarOf)));
  if (total) return total;
  throw new ValueError('computeLoss() needs a loss; give one: compile({ loss })');
};

export const modelTraining: Training = {
  compile,
  optimizer: (model) => compiledOf(model, 'reading its optimizer').optimizer,
  fit,
  onBatch,
  metrics: (model) => compiledOf(model, 'metrics').metrics,
  results: (model) => resultsOf((model as Layer & { readonly metrics: ModelMetric[] }).metrics),
  resetMetrics: (model) => compiledOf(model, 'resetMetrics').reset(),
  step,
  computeLoss,
};
