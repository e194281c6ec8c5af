// SPDX-License-Identifier: MIT
// Implements the services of models for maskflow/train.
import { checkOptions } from '../base/check.js';
import type { Evaluate, Training } from '../model/services.js';
import type { Logs } from '../model/train_options.js';
import { tidy } from '../tensor/tidy.js';
import { rehearse } from './check.js';
import { checkClassWeight } from './class_weights.js';
import { compile, compiledOf } from './compiled.js';
import { evaluate } from './evaluate.js';
import { evaluateOptions } from './evaluate_options.js';
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
