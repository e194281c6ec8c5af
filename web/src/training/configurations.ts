// SPDX-License-Identifier: MIT
// Losses and metrics as `compile` takes them, made into what `evaluate` takes.
import { isPlain, optionsOf, refuse } from '../base/check.js';
import { settingsOf } from '../engine/config_value.js';
import type { Measured } from '../measures/evaluation.js';
import { type LossFunction, type LossMaker, loss } from '../measures/loss.js';
import { Metric } from '../measures/metric.js';
import type { LossName, MetricName } from '../measures/names.gen.js';
import type { CompileOptions, MeasureConfig } from '../model/train_options.js';
import { asTensor, isTensor, type Tensor } from '../tensor/tensor.js';
import { checkSettings } from './numbers.js';
import { reduceValues } from './reduce.js';

export const isConfig = (value: unknown): value is MeasureConfig =>
  isPlain(value) && typeof value['class_name'] === 'string';

/** Settings of a configuration; every one is of dtype float32 here. */
function settingsIn({ class_name: name, config }: MeasureConfig): { [setting: string]: unknown } {
  const { dtype: _, ...settings } = optionsOf(config, 'the configuration of a loss or metric');
  checkSettings(settingsOf(settings), name);
  return settings;
}

const tensorFrom = (made: unknown): Tensor =>
  isTensor(made) ? made : refuse('what a loss of your own gives', 'a tensor', made);

function lossOf(given: unknown): LossName | LossFunction | null {
  if (given === undefined || given === null) return null;
  if (typeof given === 'function') {
    const own = given as LossFunction;
    return (t, p, options) => reduceValues(tensorFrom(own(t, p, options)), asTensor(p), options);
  }
  if (isConfig(given)) {
    const { name: _, ...settings } = settingsIn(given);
    const named: LossMaker = loss(given.class_name as LossName);
    return (t, p, options) => named(t, p, { ...settings, ...options });
  }
  if (typeof given !== 'string')
    refuse('a loss', 'a name, a function or { class_name, config }', given);
  return given as LossName;
}

const metricOf = (given: unknown): unknown =>
  isConfig(given) ? new Metric(given.class_name as MetricName, settingsIn(given)) : given;

/** An output has a loss, or metrics in a list. */
export const levels = { loss: 1, metric: 2 } as const;

/** What `f` makes of one, or of each in lists and dictionaries of them, which are so deep at most. */
export function each(given: unknown, deep: number, f: (one: unknown) => unknown): unknown {
  if (deep === 0 || isConfig(given)) return f(given);
  if (Array.isArray(given)) return given.map((item) => each(item, deep - 1, f));
  if (!isPlain(given)) return f(given);
  return Object.fromEntries(
    Object.entries(given).map(([key, item]) => [key, each(item, deep - 1, f)]),
  );
}

/** Those of `compile` as `evaluate` knows them. */
export function measuredBy(options: Omit<CompileOptions, 'optimizer'>): Measured {
  const made: { [name: string]: unknown } = { ...options };
  if (options.loss !== undefined) made['loss'] = each(options.loss, levels.loss, lossOf);
  for (const name of ['metrics', 'weightedMetrics'] as const) {
    if (options[name]) made[name] = each(options[name], levels.metric, metricOf);
  }
  return made as Measured;
}
