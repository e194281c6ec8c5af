// SPDX-License-Identifier: MIT
// What a user chooses for the outputs of a model: losses, factors and metrics, once or for each of them.
import { refuse } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import type { MetricLike } from '../measures/evaluation.js';
import { type LossFunction, loss, type Reduction } from '../measures/loss.js';
import { Metric } from '../measures/metric.js';
import type { LossName } from '../measures/names.gen.js';
import type { Tensor } from '../tensor/tensor.js';

const isOne = (value: unknown): boolean => typeof value !== 'object';

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
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return;
  const unknown = Object.keys(given).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    throw new ValueError(`there is no output '${unknown}'; there are ${names.join(', ')}`);
  }
}

/** The metrics of one output; `count`: of how many. */
function metricsOf(given: unknown, name: string, place: number, count: number): MetricLike[] {
  if (given === undefined || given === null) return [];
  if (isOne(given) || given instanceof Metric) {
    throw new ValueError(`metrics come in lists: ['${String(given)}']`);
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

/** A loss as a function; `reduction`: of one that was given by name. */
export function chosenLoss(
  given: LossName | LossFunction,
  yTrue: Tensor,
  yPred: Tensor,
  reduction?: Reduction,
): LossFunction {
  if (typeof given !== 'string') return given;
  const named = loss(fitting(given, yTrue, yPred));
  return reduction ? (t, p, more) => named(t, p, { ...more, reduction }) : named;
}

function chosenMetric(item: MetricLike, yTrue: Tensor, yPred: Tensor): Metric {
  if (typeof item === 'function') return new Metric(item);
  if (item instanceof Metric) return item;
  if (typeof item !== 'string') refuse('a metric', 'a name, a function or a Metric', item);
  return new Metric(fitting(item, yTrue, yPred), { name: item });
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
