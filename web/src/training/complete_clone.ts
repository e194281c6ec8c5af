// SPDX-License-Identifier: MIT
// Completes a clone with what it has beside the layers of its model: weights, and settings of
// compile().
import { isPlain } from '../base/check.js';
import { MaskflowError } from '../base/errors.js';
import { native, unwrap } from '../engine/engine.js';
import { Metric } from '../measures/metric.js';
import type { MetricName } from '../measures/names.gen.js';
import type { Model } from '../model/model.js';
import { Sequential } from '../model/sequential.js';
import type { CompileOptions } from '../model/train_options.js';
import { compile, type Compiled } from './compiled.js';
import { levels, mapChoices } from './configurations.js';
import type { Optimizer } from './optimizer.js';
import { deserialize } from './optimizers.js';

/** Creates the weights of a clone whose model learned its inputs from a call. */
function buildLike(model: Model, clone: Model): void {
  const shape = model.builtFor;
  if (clone.weights.length >= model.weights.length || !shape || isPlain(shape)) return;
  try {
    if (!clone.built) clone.build(shape as never);
    // The layers of a custom model get their weights when it runs; computing its shapes runs it.
    if (clone.isCustom) clone.computeOutputShape(shape as never);
  } catch (error) {
    // Some models do not compute for an unknown number of rows; the first call builds the clone.
    if (!(error instanceof MaskflowError)) throw error;
  }
}

/** Returns a metric with the same settings that has counted nothing; others are returned as is. */
function freshMetric(metric: unknown): unknown {
  if (!(metric instanceof Metric) || metric.constructor !== Metric || !metric.kind) return metric;
  return new Metric(metric.kind as MetricName, { ...metric.settings, name: metric.name });
}

function optionsOf({ options, optimizer }: Compiled): CompileOptions {
  const copy = (metrics: unknown) => mapChoices(metrics, levels.metric, freshMetric);
  const { metrics, weightedMetrics } = options;
  return {
    ...options,
    optimizer: deserialize((optimizer as Optimizer).serialize()),
    ...(metrics && { metrics: copy(metrics) as typeof metrics }),
    ...(weightedMetrics && { weightedMetrics: copy(weightedMetrics) as typeof metrics }),
  };
}

/** Gives a clone weights if its model has them, and compiles it like its model, as Keras does. */
export function completeClone(model: Model, clone: Model): Model {
  buildLike(model, clone);
  // Configs of Sequential models do not restore the flag of the model itself. Keras's clones of
  // models of a graph do not have it.
  if (clone.trainable && !model.trainable && (model.isCustom || model instanceof Sequential))
    unwrap(native().layerSet(clone.handle, { trainable: false, alone: true }));
  const { compiled } = model as { compiled?: Compiled };
  if (!compiled) return clone;
  compile(clone, optionsOf(compiled));
  const copy = (clone as { compiled?: Compiled }).compiled;
  if (clone.weights.length > 0) copy?.variables();
  return clone;
}
