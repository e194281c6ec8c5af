// SPDX-License-Identifier: MIT
// What models can do in maskflow/train.
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
    if (training) trainStep(compiled, open, { onNaN: 'ignore', at: '' });
    else testStep(compiled, open);
    return objective.results() as Logs;
  });
};

/** What a model was compiled with, where nothing else is asked for. */
function chosenFor(
  model: Layer & { compiled?: Compiled },
  given: EvaluateOptions,
): EvaluateOptions {
  const options = optionsOf(given);
  const own = ['loss', 'lossWeights', 'metrics', 'weightedMetrics'] as const;
  if (model.compiled && own.every((name) => options[name] === undefined)) {
    return { ...model.compiled.measured, ...options };
  }
  const { loss, metrics, weightedMetrics, ...rest } = options;
  return { ...rest, ...measuredBy({ loss, metrics, weightedMetrics } as CompileOptions) };
}

/** `evaluate` of a model that may be compiled. */
export const evaluateCompiled: Evaluate = (model, x, y, options) =>
  evaluate(model, x, y, chosenFor(model, options));

export const modelTraining: Training = {
  compile,
  optimizer: (model) => compiledOf(model, 'its optimizer is asked for').optimizer,
  fit,
  onBatch,
  resetMetrics: (model) => compiledOf(model, 'resetMetrics').objective.reset(),
};
