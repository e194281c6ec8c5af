// SPDX-License-Identifier: MIT
// Implements the services of models for maskflow/train.
import { checkOptions, refuse } from '../base/check.js';
import type { Layer } from '../layers/layer.js';
import type { Training } from '../model/services.js';
import type { Logs, ModelMetric } from '../model/train_options.js';
import { tidy } from '../tensor/tidy.js';
import { rehearse } from './check.js';
import { checkClassWeight } from './class_weights.js';
import { compile, compiledOf } from './compiled.js';
import { computeLoss, computeMetrics } from './compute.js';
import { Data } from './data.js';
import { fit } from './fit.js';
import { hasHooks } from './overrides.js';
import { predictSteps } from './predict_steps.js';
import { countsOf } from './rows.js';
import { oneBatch } from './source.js';
import { testStep, trainStep, usualTestStep, usualTrainStep } from './step.js';
import { resultsOf } from './tracked_metrics.js';

const onBatch: Training['onBatch'] = (model, x, y, options, training) => {
  const compiled = compiledOf(model, training ? 'trainOnBatch' : 'testOnBatch');
  const { sampleWeight, classWeight } = checkOptions(options, { sampleWeight: 1, classWeight: 1 });
  checkClassWeight(classWeight, sampleWeight);
  const { objective } = compiled;
  return tidy(() => {
    const batch = oneBatch([x, y, sampleWeight], countsOf(model), classWeight);
    // As in Keras, only fit() and evaluate() want one number for each row.
    const data = new Data(batch.x, batch.y, { ...batch.weights, mayWeighSteps: true });
    const open = () => data;
    if (!model.built || objective.measured.length === 0) rehearse(compiled, open);
    compiled.reset();
    if (training) trainStep(compiled, open);
    else testStep(compiled, open);
    return compiled.batchLogs() as Logs;
  });
};

/** The usual step of a model, on the data of a step of its class. */
const step: Training['step'] = (model, data, training) => {
  const name = training ? 'trainStep' : 'testStep';
  const compiled = compiledOf(model, name);
  if (!Array.isArray(data)) refuse(`the data of ${name}()`, 'a list [x, y, sampleWeight]', data);
  const open = () => oneBatch(data, countsOf(model), undefined);
  if (training) usualTrainStep(compiled, open);
  else usualTestStep(compiled, open);
  return (hasHooks(model) ? compiled.logs : compiled.running()) as Logs;
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
  computeMetrics,
  predict: predictSteps,
};
