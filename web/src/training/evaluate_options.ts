// SPDX-License-Identifier: MIT
// The losses and metrics that an evaluation uses: those of its options, or those of `compile`.
import { optionsOf } from '../base/check.js';
import type { Layer } from '../layers/layer.js';
import type { EvaluateOptions } from '../measures/evaluation.js';
import type { CompileOptions } from '../model/train_options.js';
import type { Compiled } from './compiled.js';
import { measuredBy } from './configurations.js';

/** Returns the options of `evaluate`; by default, losses and metrics of the compiled model. */
export function evaluateOptions(
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
