// SPDX-License-Identifier: MIT
// Converts losses and metrics of `compile` to those of `evaluate`.
import { isClass, isPlain, optionsOf, refuse } from '../base/check.js';
import { ConfigError, ValueError } from '../base/errors.js';
import { settingsOf } from '../engine/config_value.js';
import { parametersOf } from '../layers/uses_mask.js';
import type { Measured } from '../measures/evaluation.js';
import { type LossFunction, type LossMaker, loss, lossConfigOf } from '../measures/loss.js';
import { Metric } from '../measures/metric.js';
import type { LossName, MetricName } from '../measures/names.gen.js';
import type { CompileOptions, MeasureConfig } from '../model/train_options.js';
import { expandDims, squeeze } from '../ops/ops.gen.js';
import { asTensor, isTensor, type Tensor } from '../tensor/tensor.js';
import { tidy } from '../tensor/tidy.js';
import { checkSettings } from './numbers.js';
import { reduceValues } from './reduce.js';

/** Returns whether the value is a Keras config: { class_name, config }. */
export const isConfig = (value: unknown): value is MeasureConfig =>
  isPlain(value) && typeof value['class_name'] === 'string';

/** Returns the settings of a config without its dtype, which is always float32 here. */
function settingsIn({ class_name: name, config }: MeasureConfig): { [setting: string]: unknown } {
  const { dtype: _, ...settings } = optionsOf(config, 'the configuration of a loss or metric');
  checkSettings(settingsOf(settings), name);
  return settings;
}

const checkLossResult = (result: unknown): Tensor =>
  isTensor(result) ? result : refuse('the result of a custom loss', 'a tensor', result);

/**
 * Gives targets and predictions of a function the same rank, as Keras does: [batch] beside
 * [batch, 1] becomes [batch, 1]. Otherwise a last axis of 1 that only one of them has is removed.
 */
function sameRank(targets: Tensor, predictions: Tensor): [Tensor, Tensor] {
  const difference = targets.rank - predictions.rank;
  if (difference === 0) return [targets, predictions];
  const [longer, shorter] = difference > 0 ? [targets, predictions] : [predictions, targets];
  if (Math.abs(difference) !== 1 || longer.shape.at(-1) !== 1) return [targets, predictions];
  const pair =
    shorter.rank === 1 ? [longer, expandDims(shorter, -1)] : [squeeze(longer, -1), shorter];
  return (difference > 0 ? pair : pair.reverse()) as [Tensor, Tensor];
}

function lossOf(chosen: unknown): LossName | LossFunction | null {
  if (chosen === undefined || chosen === null) return null;
  const choice = lossConfigOf(chosen) ?? chosen;
  if (typeof choice === 'function') {
    const custom = choice as LossFunction;
    if (isClass(custom))
      throw new ValueError(
        `the loss ${custom.name} is a class; pass a function: (yTrue, yPred) => …`,
      );
    // As in Keras, `margin` of `(yTrue, yPred, margin = 1)` keeps its default: it is no options.
    const readsOptions = custom.length !== 2 || parametersOf(custom).includes('{');
    return (t, p, options) => {
      const [targets, predictions] = sameRank(asTensor(t), asTensor(p));
      const values = custom(targets, predictions, readsOptions ? options : undefined);
      return reduceValues(checkLossResult(values), asTensor(p), options, readsOptions);
    };
  }
  if (isConfig(choice)) {
    const { name: _, ...settings } = settingsIn(choice);
    const named: LossMaker = loss(choice.class_name as LossName);
    checkLoss(named, settings);
    return (t, p, options) => named(t, p, { ...settings, ...options });
  }
  if (typeof choice !== 'string')
    refuse('a loss', 'a name, a function or { class_name, config }', choice);
  if (!kByShape.test(choice)) checkLoss(loss(choice as LossName), {});
  return choice as LossName;
}

/** Names that stand for several measures; the shapes of the first batch decide. */
const kByShape = /^(acc(uracy)?|crossentropy|ce)$/i;

/** Throws ConfigError for an unknown name or setting. Other errors depend on the data. */
function checkLoss(named: LossMaker, settings: { readonly [name: string]: unknown }): void {
  try {
    tidy(() => void named([[0]], [[0]], settings));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
  }
}

function metricOf(choice: unknown): unknown {
  if (isConfig(choice)) return new Metric(choice.class_name as MetricName, settingsIn(choice));
  // A name becomes a metric for each output later; this one only checks it.
  if (typeof choice === 'string' && !kByShape.test(choice)) new Metric(choice as MetricName);
  return choice;
}

/** Nesting of choices: an output has one loss, but a list of metrics. */
export const levels = { loss: 1, metric: 2 } as const;

/** Applies `f` to a choice, or to each choice in lists and dictionaries down to `depth` levels. */
export function mapChoices(
  choices: unknown,
  depth: number,
  f: (choice: unknown) => unknown,
): unknown {
  if (depth === 0 || isConfig(choices)) return f(choices);
  if (Array.isArray(choices)) return choices.map((item) => mapChoices(item, depth - 1, f));
  if (!isPlain(choices)) return f(choices);
  return Object.fromEntries(
    Object.entries(choices).map(([key, item]) => [key, mapChoices(item, depth - 1, f)]),
  );
}

/** Converts the options of `compile` to those of `evaluate`. */
export function measuredBy(options: Omit<CompileOptions, 'optimizer'>): Measured {
  const measured: { [name: string]: unknown } = { ...options };
  if (options.loss !== undefined) measured['loss'] = mapChoices(options.loss, levels.loss, lossOf);
  for (const name of ['metrics', 'weightedMetrics'] as const) {
    if (options[name]) measured[name] = mapChoices(options[name], levels.metric, metricOf);
  }
  return measured as Measured;
}
