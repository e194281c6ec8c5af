// SPDX-License-Identifier: MIT
// Implements the services of models for maskflow/train.
import { checkOptions, optionsOf } from '../base/check.js';
import type { Layer } from '../layers/layer.js';
import type { EvaluateOptions } from '../measures/evaluation.js';
import type { Evaluate, Training } from '../model/services.js';
import type { CompileOptions, Logs } from '../model/train_options.js';
import { tidy } from '../tensor/tidy.js';
import { rehearse } from './check.js';
import { checkClassWeight } from './class_weights.js';
import { type Compiled, compile, compiledOf } from './compiled.js';
import { measuredBy } from './configurations.js';
import { evaluate } from './evaluate.js';
import { fit } from './fit.js';
import { countsOf, oneBatch } from './source.js';
import { testStep, trainStep } from './step.js';

const onBatch: Training['onBatch'] = (model, x, y, options, training) => {
  const compiled = compiledOf(model, training ? 'trainOnBatch' : 'testOnBatch');
  const { sampleWeight, classWeight } = checkOptions(options, { sampleWeight: 1, classWeight: 1 });
  checkClassWeight(classWeight, sampleWeight);
  const { objective } = compiled;
  return tidy(() => {
    const data = oneBatch([x, y, sampleWeight], countsOf(model), classWeight);
    const open = () => data;
    if (!model.built || objective.measured.length === 0) rehearse(compiled, open);
    objective.reset();
    if (training) trainStep(compiled, open);
    else testStep(compiled, open);
    return objective.results() as Logs;
  });
};

/** Returns the options of `evaluate`; by default, losses and metrics of the compiled model. */
function evaluateOptions(
  model: Layer & { compiled?: Compiled },
  settings: EvaluateOptions,
): EvaluateOptions {
  const options = optionsOf(settings);
  const own = ['loss', 'lossWeights', 'metrics', 'weightedMetrics'] as const;
  if (model.compiled && own.every((name) => options[name] === undefined)) {
    return { ...model.compiled.measured, ...options };
  }
  const { loss, metrics, weightedMetrics, ...rest } = options;
  return { ...rest, ...measuredBy({ loss, metrics, weightedMetrics } as CompileOptions) };
}

/** See `evaluate` of Model, which may be compiled. */
export const evaluateCompiled: Evaluate = (model, x, y, options) =>
  evaluate(model, x, y, evaluateOptions(model, options));

export const modelTraining: Training = {
  compile,
  optimizer: (model) => compiledOf(model, 'reading its optimizer').optimizer,
  fit,
  onBatch,
  resetMetrics: (model) => compiledOf(model, 'resetMetrics').objective.reset(),
};
