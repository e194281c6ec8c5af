// SPDX-License-Identifier: MIT
// Losses, factors and metrics that a user chooses, for all outputs of a model or for each.
import { refuse } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { sentConfigOf } from '../base/brand.js';
import { made } from '../base/maker.js';
import type { MetricLike } from '../measures/evaluation.js';
import {
  type LossConfig,
  type LossFunction,
  loss,
  lossConfigOf,
  type Reduction,
} from '../measures/loss.js';
import { Metric, type MetricFunction } from '../measures/metric.js';
import type { LossName } from '../measures/names.gen.js';
import type { Tensor } from '../tensor/tensor.js';

const isSingle = (value: unknown): boolean => typeof value !== 'object';

/**
 * Returns the choice for one output: by name, by index, or the one for all outputs.
 *
 * @param isForAll Returns whether a value is the choice for all outputs.
 */
export function choice<T>(
  choices: unknown,
  name: string,
  index: number,
  isForAll: (value: unknown) => boolean = isSingle,
): T | null {
  if (choices === undefined || choices === null || isForAll(choices)) {
    return (choices ?? null) as T | null;
  }
  const own = Array.isArray(choices) ? choices[index] : (choices as { [key: string]: T })[name];
  return (own ?? null) as T | null;
}

/** Throws ValueError if a dictionary of choices names an unknown output. */
export function checkNames(choices: unknown, names: readonly string[]): void {
  if (typeof choices !== 'object' || choices === null || Array.isArray(choices)) return;
  const unknown = Object.keys(choices).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    throw new ValueError(`there is no output '${unknown}'; the outputs are ${names.join(', ')}`);
  }
}

/** Returns the metrics that are chosen for one of `count` outputs. */
function metricsOf(choices: unknown, name: string, index: number, count: number): MetricLike[] {
  if (choices === undefined || choices === null) return [];
  if (isSingle(choices) || choices instanceof Metric) {
    throw new ValueError(`metrics must be a list: ['${String(choices)}']`);
  }
  const items = Object.values(choices);
  if (count > 1 && Array.isArray(choices) && items.length !== count && items.length > 0) {
    throw new ValueError(
      `metrics has ${items.length} entries but there are ${count} outputs; give one or a list for each, or a dictionary`,
    );
  }
  const own = count === 1 ? items : [choice(choices, name, index, () => false)];
  const list = own.flat() as (MetricLike | null | undefined)[];
  return list.filter((item) => item !== null && item !== undefined);
}

/** Replaces 'accuracy' and 'crossentropy' by the kind that fits the shapes, as Keras does. */
function specificName<Name extends string>(name: Name, yTrue: Tensor, yPred: Tensor): Name {
  const kind = /^acc(uracy)?$/i.test(name)
    ? 'accuracy'
    : /^(crossentropy|ce)$/i.test(name) && 'crossentropy';
  if (!kind) return name;
  const sparse = yTrue.rank < yPred.rank || yTrue.shape.at(-1) === 1;
  const classes =
    yPred.shape.at(-1) === 1 ? 'binary' : sparse ? 'sparse_categorical' : 'categorical';
  return `${classes}_${kind}` as Name;
}

/**
 * Returns a loss as a function.
 *
 * @param reduction Reduction of a loss that is given by name.
 */
export function chooseLoss(
  lossChoice: LossName | LossFunction,
  yTrue: Tensor,
  yPred: Tensor,
  reduction?: Reduction,
): LossFunction {
  if (typeof lossChoice !== 'string') return lossChoice;
  const named = loss(specificName(lossChoice, yTrue, yPred));
  return reduction ? (t, p, more) => named(t, p, { ...more, reduction }) : named;
}

/** Returns the metric that a function is: that of its name for one of `losses`. */
export function metricOfFunction(f: MetricFunction): Metric {
  const config = sentConfigOf(f) as LossConfig | undefined;
  // A loss with settings has a reduction, which metrics lack.
  return config && !lossConfigOf(f) ? new Metric(config.class_name) : new Metric(f);
}

function chooseMetric(choice: MetricLike, yTrue: Tensor, yPred: Tensor): Metric {
  const item = made(choice) as MetricLike;
  if (typeof item === 'function') {
    const { prototype } = item as { prototype?: unknown };
    return prototype instanceof Metric
      ? new (item as never as typeof Metric)()
      : metricOfFunction(item);
  }
  if (item instanceof Metric) return item;
  if (typeof item !== 'string') refuse('a metric', 'a name, a function or a Metric', item);
  return new Metric(specificName(item, yTrue, yPred), { name: item });
}

/** Returns the metrics of one output from the choices for all outputs. */
export const chooseMetrics = (
  choices: unknown,
  output: { readonly name: string; readonly index: number; readonly count: number },
  yTrue: Tensor,
  yPred: Tensor,
): Metric[] =>
  metricsOf(choices, output.name, output.index, output.count).map((item) =>
    chooseMetric(item, yTrue, yPred),
  );
