// SPDX-License-Identifier: MIT
// What a user chooses for the outputs of a model: losses, factors and metrics, once or for each of them.
import { isPlain, options as optionsOf, refuse } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import type { LossLike, MeasureConfig, MetricLike } from '../measures/evaluation.js';
import { type LossFunction, type LossOptions, loss, type Reduction } from '../measures/loss.js';
import { Metric } from '../measures/metric.js';
import type { LossName, MetricName } from '../measures/names.gen.js';
import { reduceValues } from './reduce.js';
import type { Tensor } from '../tensor/tensor.js';

export const isConfig = (value: unknown): value is MeasureConfig =>
  isPlain(value) && typeof value['class_name'] === 'string';

/** Is it one for all outputs, not a list or dictionary of several? */
export const isOne = (value: unknown): boolean => typeof value !== 'object' || isConfig(value);

/** What was given for one of the outputs: by name, by place, or once for all. */
export function choice<T>(
  given: unknown,
  key: string,
  place: number,
  single: (value: unknown) => boolean = isOne,
): T | null {
  if (given === undefined || given === null || single(given)) return (given ?? null) as T | null;
  return ((Array.isArray(given) ? given[place] : (given as { [key: string]: T })[key]) ??
    null) as T | null;
}

/** A dictionary of choices names outputs; a misspelt one would be left out silently. */
export function checkNames(given: unknown, names: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given) || isConfig(given))
    return;
  const unknown = Object.keys(given).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    throw new ValueError(`there is no output '${unknown}'; there are ${names.join(', ')}`);
  }
}

/** The metrics of one output; `count`: of how many. */
function metricsOf(given: unknown, name: string, place: number, count: number): MetricLike[] {
  if (given === undefined || given === null) return [];
  if (isOne(given) || given instanceof Metric) {
    throw new ValueError(
      `metrics come in lists: [${typeof given === 'string' ? `'${given}'` : '…'}]`,
    );
  }
  const items = Object.values(given);
  if (count > 1 && Array.isArray(given) && items.length !== count && items.length > 0) {
    throw new ValueError(
      `metrics has ${items.length} entries but there are ${count} outputs; give one or a list for each, or a dictionary`,
    );
  }
  const own = count === 1 ? items : [choice(given, name, place, () => false)];
  const list = own.flat() as (MetricLike | null | undefined)[];
  return list.filter((item) => item !== null && item !== undefined);
}

/** Keras's choice by the shapes for the names that leave it open. */
function fitting<Name extends string>(name: Name, yTrue: Tensor, yPred: Tensor): Name {
  const kind = /^acc(uracy)?$/i.test(name)
    ? 'accuracy'
    : /^(crossentropy|ce)$/i.test(name) && 'crossentropy';
  if (!kind) return name;
  const sparse = yTrue.rank < yPred.rank || yTrue.shape.at(-1) === 1;
  const classes =
    yPred.shape.at(-1) === 1 ? 'binary' : sparse ? 'sparse_categorical' : 'categorical';
  return `${classes}_${kind}` as Name;
}

/** Settings of a configuration; every one is of dtype float32 here. */
function settingsIn({ config }: MeasureConfig): { [setting: string]: unknown } {
  const { dtype: _, ...settings } = optionsOf(config, 'the configuration of a loss or metric');
  return settings;
}

/** One for an output; `reduction`: of those that say none themselves. */
export function chosenLoss(
  given: LossLike,
  yTrue: Tensor,
  yPred: Tensor,
  reduction?: Reduction,
): LossFunction {
  if (typeof given === 'function') {
    return (t, p, options) => reduceValues(given(t, p, options), yPredOf(p), options);
  }
  const { name: _, ...settings } = isConfig(given) ? settingsIn(given) : {};
  const name = isConfig(given) ? given.class_name : given;
  if (typeof name !== 'string') {
    refuse('a loss', 'a name, a function or { class_name, config }', given);
  }
  const named = loss(fitting(name, yTrue, yPred) as LossName);
  const fixed = reduction ? { ...settings, reduction } : settings;
  return (t, p, options) => named(t, p, { ...fixed, ...options } as LossOptions);
}

const yPredOf = (given: unknown): Tensor => given as Tensor;

function chosenMetric(item: MetricLike, yTrue: Tensor, yPred: Tensor): Metric {
  if (item instanceof Metric) return item;
  if (typeof item === 'function') return new Metric(item);
  if (isConfig(item)) return new Metric(item.class_name as MetricName, settingsIn(item));
  if (typeof item === 'string') return new Metric(fitting(item, yTrue, yPred), { name: item });
  refuse('a metric', 'a name, a function, a Metric or { class_name, config }', item);
}

/** Those of one output, where `given` is for all. */
export const chosenMetrics = (
  given: unknown,
  output: { readonly name: string; readonly place: number; readonly count: number },
  yTrue: Tensor,
  yPred: Tensor,
): Metric[] =>
  metricsOf(given, output.name, output.place, output.count).map((item) =>
    chosenMetric(item, yTrue, yPred),
  );
