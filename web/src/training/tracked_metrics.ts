// SPDX-License-Identifier: MIT
// Metrics of a compiled model as Keras lists them: a mean of losses, those of compile(), and those
// in properties of custom layers and models.
import { checkFunction, checkList } from '../base/check.js';
import { flatInputs, type LayerInputs, type LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import { objectsInside } from '../layers/layer_objects.js';
import { valuesInside } from '../layers/layer_values.js';
import { Metric, resultOf, ValueMetric } from '../measures/metric.js';
import type { Logs, ModelMetric } from '../model/train_options.js';
import { Trainable } from '../model/trainable.js';
import { tidy } from '../tensor/tidy.js';
import { type Batch, tensorsByKey, toTensors } from './data.js';
import type { Objective } from './objective.js';

/**
 * Returns the metrics in properties of a model and of the layers inside, at any depth. As in Keras,
 * a model inside leaves out its own, because they belong to its own training.
 */
export function trackedMetrics(model: Layer): (Metric | ValueMetric)[] {
  const found = new Set<Metric | ValueMetric>();
  const seen = new Set<Layer>();
  const visit = (layer: Layer): void => {
    if (seen.has(layer)) return;
    seen.add(layer);
    const isTracked = layer === model || !(layer instanceof Trainable);
    for (const value of isTracked ? valuesInside(Object.values(layer)) : []) {
      if (value instanceof Metric || value instanceof ValueMetric) found.add(value);
    }
    const inside = layer.isCustom ? layer.ownLayers() : objectsInside<Layer>(layer.handle);
    for (const each of inside) visit(each);
  };
  visit(model);
  return [...found];
}

/** The metrics of compile(), as one. */
class CompileMetrics implements ModelMetric {
  readonly name = 'compile_metrics';

  constructor(readonly objective: Objective) {}

  updateState(
    y: unknown,
    yPred?: unknown,
    { sampleWeight = null }: { sampleWeight?: unknown } = {},
  ) {
    tidy(() => {
      const outputs = yPred as LayerOutputs;
      this.objective.countMetrics(outputs, batchFor(outputs, y, sampleWeight));
    });
  }
  result(): Logs {
    return this.objective.metricResults() as Logs;
  }
  resetState(): void {
    this.objective.resetMetrics();
  }
}

/** Converts targets and weights to tensors, for these outputs. */
export function batchFor(
  outputs: LayerOutputs,
  y: unknown,
  sampleWeight: unknown,
): Pick<Batch, 'y' | 'weights'> {
  const count = Object.keys(tensorsByKey(outputs)).length;
  return {
    y: toTensors(flatInputs(y as LayerInputs), 'y', count),
    weights: toTensors(sampleWeight, 'sampleWeight', count),
  };
}

/**
 * The metrics of a model that is compiled, in Keras's order: the mean of losses first, then those
 * of `compile` as one.
 */
export const usualMetrics = (
  objective: Objective,
  tracked: readonly (Metric | ValueMetric)[],
): ModelMetric[] => {
  const chosen = objective.hasMetrics ? [new CompileMetrics(objective)] : [];
  const all: readonly unknown[] = [objective.mean, ...chosen, ...objective.lossMeans, ...tracked];
  return all as ModelMetric[];
};

/** Results of metrics by name. Throws ValueError unless they are a list of metrics. */
export function resultsOf(metrics: readonly ModelMetric[]): Logs {
  checkList(metrics, "a model's metrics");
  const results = Array.from(metrics, (metric) => {
    checkFunction(metric?.result, "result() of each of a model's metrics");
    const result = resultOf(metric);
    const isLogs = typeof result === 'object' && !Array.isArray(result);
    return isLogs ? result : { [metric.name]: result };
  });
  return Object.assign({}, ...results) as Logs;
}
