// SPDX-License-Identifier: MIT
// Methods with which a class of models replaces parts of training.
import type { Layer } from '../layers/layer.js';
import type { ModelMetric } from '../model/train_options.js';
import { Trainable } from '../model/trainable.js';

type Method =
  | 'trainStep'
  | 'testStep'
  | 'predictStep'
  | 'computeLoss'
  | 'computeMetrics'
  | 'getMetricsResult';

/** Returns whether the class of the model, or the model itself, replaces a method. */
export function overrides(model: Layer, method: Method): boolean {
  const own: unknown = (model as unknown as Partial<Trainable>)[method];
  return own !== undefined && own !== Trainable.prototype[method];
}

const isMetric = (value: unknown): boolean =>
  ['updateState', 'result', 'resetState'].every(
    (name) => typeof (value as { [name: string]: unknown } | null)?.[name] === 'function',
  );

/**
 * Returns the metrics of a class that overrides `metrics`; null for another class, and for a
 * property of this name with other content.
 */
export function ownMetrics(model: Layer): readonly ModelMetric[] | null {
  let owner: object | null = model;
  while (owner && owner !== Trainable.prototype && !Object.hasOwn(owner, 'metrics')) {
    owner = Object.getPrototypeOf(owner);
  }
  if (!owner || owner === Trainable.prototype) return null;
  const metrics: unknown = (model as unknown as Trainable).metrics;
  return Array.isArray(metrics) && metrics.every(isMetric) ? metrics : null;
}

/** Returns whether a class replaces parts of the usual steps. */
export const hasHooks = (model: Layer): boolean =>
  overrides(model, 'computeLoss') ||
  overrides(model, 'computeMetrics') ||
  overrides(model, 'getMetricsResult') ||
  ownMetrics(model) !== null;
