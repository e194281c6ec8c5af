// SPDX-License-Identifier: MIT
// Keras's classes of losses and metrics, and the settings in their configs.
import { lookUp } from '../../base/names.js';
import { pythonName } from '../member_names.js';
import {
  lossSettings,
  type MeasureSettings,
  measureAliases,
  metricSettings,
} from './measures.gen.js';

export type Kind = 'loss' | 'metric';

/** Short names that Keras accepts. */
const shortNames =
  /^(bce|kld|mae|mape|mse|msle|BCE|KLD|MAE|MAPE|MSE|MSLE|accuracy|acc|crossentropy|ce)$/;
/** Losses that Keras knows only by class, not by name. */
const classOnly = new Set(['CategoricalGeneralizedCrossEntropy']);

/** Losses that are metric classes, too. */
const alsoMetrics = new Set(
  `BinaryCrossentropy CategoricalCrossentropy CategoricalHinge CosineSimilarity Hinge KLDivergence MeanAbsoluteError
  MeanAbsolutePercentageError MeanSquaredError MeanSquaredLogarithmicError Poisson SparseCategoricalCrossentropy
  SquaredHinge`.split(/\s+/),
);

/** A name for comparison: lower case, without underscores. */
const simplified = (name: string): string => name.replaceAll('_', '').toLowerCase();

const classes = Object.fromEntries(
  [...Object.keys(metricSettings), ...Object.keys(lossSettings)].map((name) => [
    simplified(name),
    name,
  ]),
);

/** Finds the class for a name of this package or of Keras. */
export const classNamed = (name: string): string | undefined =>
  lookUp(classes, simplified(name)) ?? lookUp(measureAliases, simplified(name));

/** Settings of a loss or metric with their defaults; undefined for an unknown class. */
export function settingsOfClass(kind: Kind, name: string): MeasureSettings[string] | undefined {
  if (kind === 'loss') return lookUp(lossSettings, name);
  return lookUp(metricSettings, name) ?? lookUp(lossSettings, name);
}

/** Returns whether Keras has this class of this kind; other measures are functions there. */
export const isKerasClass = (kind: Kind, name: string): boolean =>
  kind === 'loss' || Object.hasOwn(metricSettings, name) || alsoMetrics.has(name);

/** Default name of a loss or metric in Keras. */
export function defaultName(kind: Kind, className: string): string {
  const exceptions: { readonly [className: string]: string } =
    kind === 'loss'
      ? { Huber: 'huber_loss' }
      : { FBetaScore: 'fbeta_score', LogCoshError: 'logcosh' };
  return lookUp(exceptions, className) ?? pythonName(className);
}

/** Converts a name to one that Keras accepts; undefined if Keras lacks the measure. */
export function kerasName(kind: Kind, name: string): string | undefined {
  if (shortNames.test(name)) return name;
  const className = classNamed(name);
  if (className === undefined || classOnly.has(className)) return undefined;
  if (!isKerasClass(kind, className)) return undefined;
  return name === className ? name : pythonName(className);
}

/** Defaults of Keras that differ from this package's. */
export const kerasDefaults: MeasureSettings = { BinaryIoU: { target_class_ids: [0, 1] } };

/**
 * Returns whether Keras's config omits a setting. It is written if it is not the default, because
 * Keras's class accepts it.
 */
export function isUnwritten(kind: Kind, className: string, key: string): boolean {
  if (key === 'axis') {
    return (
      className === 'CosineSimilarity' ||
      className === (kind === 'loss' ? 'SparseCategoricalCrossentropy' : 'BinaryCrossentropy')
    );
  }
  return (
    ['delta', 'from_sorted_ids'].includes(key) || (className === 'AUC' && key === 'thresholds')
  );
}
