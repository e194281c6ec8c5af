// SPDX-License-Identifier: MIT
// Metrics of a compiled model as Keras lists them: a mean of losses, those of compile(), and those
// in properties of custom layers and models.
import type { LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import { objectsInside } from '../layers/layer_objects.js';
import { valuesInside } from '../layers/layer_values.js';
import { Metric, ValueMetric } from '../measures/metric.js';
import type { Logs, ModelMetric } from '../model/train_options.js';
import { type Batch, structureOf } from './data.js';
import type { Objective } from './objective.js';

/** Returns the metrics in properties of custom layers and models, at any depth of layers. */
export function trackedMetrics(model: Layer): (Metric | ValueMetric)[] {
  const found = new Set<Metric | ValueMetric>();
  const seen = new Set<Layer>();
  const visit = (layer: Layer): void => {
    if (seen.has(layer)) return;
    seen.add(layer);
    for (const value of layer.isCustom ? valuesInside(Object.values(layer)) : []) {
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
    const [x, yTrue, weights] = [null, y, sampleWeight].map(structureOf);
    const batch = { x, y: yTrue, weights } as Batch;
    this.objective.countMetrics(yPred as LayerOutputs, batch);
  }
  result(): Logs {
    return this.objective.metricResults() as Logs;
  }
  resetState(): void {
    this.objective.reset();
  }
}

/** The metrics of a model that is compiled: the mean of losses first. */
export const usualMetrics = (
  objective: Objective,
  tracked: readonly (Metric | ValueMetric)[],
): ModelMetric[] => [
  new ValueMetric('mean', { name: 'loss' }) as ModelMetric,
  new CompileMetrics(objective),
  ...(tracked as readonly unknown[] as ModelMetric[]),
];

/** Results of metrics by name. */
export function resultsOf(metrics: readonly ModelMetric[]): Logs {
  const results = metrics.map((metric) => {
    const result = metric.result();
    const isLogs = typeof result === 'object' && !Array.isArray(result);
    return isLogs ? result : { [metric.name]: result };
  });
  return Object.assign({}, ...results) as Logs;
}
