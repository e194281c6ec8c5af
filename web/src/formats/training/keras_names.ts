// SPDX-License-Identifier: MIT
// Keras's classes of losses and metrics, and what its configurations of them hold.
import { lookUp } from '../../base/names.js';
import { pythonName } from '../tree.js';
import { lossSettings, type MeasureSettings, metricSettings } from './measures.gen.js';

export type Kind = 'loss' | 'metric';

/** What Keras understands as well, or what we do, under other names than that of the class. */
const aliases: { readonly [name: string]: string } = {
  bce: 'BinaryCrossentropy',
  cce: 'CategoricalCrossentropy',
  cosine: 'CosineSimilarity',
  huberloss: 'Huber',
  kld: 'KLDivergence',
  kullbackleiblerdivergence: 'KLDivergence',
  mae: 'MeanAbsoluteError',
  mape: 'MeanAbsolutePercentageError',
  mse: 'MeanSquaredError',
  msle: 'MeanSquaredLogarithmicError',
  rmse: 'RootMeanSquaredError',
  scce: 'SparseCategoricalCrossentropy',
};

/** Names of these kinds that Keras reads as they are. */
const shortNames =
  /^(bce|kld|mae|mape|mse|msle|BCE|KLD|MAE|MAPE|MSE|MSLE|accuracy|acc|crossentropy|ce)$/;
/** Losses that Keras knows as classes alone. */
const classOnly = new Set(['CategoricalGeneralizedCrossEntropy']);

/** Losses that are classes of metrics, too. */
const alsoMetrics = new Set(
  `BinaryCrossentropy CategoricalCrossentropy CategoricalHinge CosineSimilarity Hinge KLDivergence MeanAbsoluteError
  MeanAbsolutePercentageError MeanSquaredError MeanSquaredLogarithmicError Poisson SparseCategoricalCrossentropy
  SquaredHinge`.split(/\s+/),
);

const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();

const classes = Object.fromEntries(
  [...Object.keys(metricSettings), ...Object.keys(lossSettings)].map((name) => [plain(name), name]),
);

/** The class that a name of ours or of Keras's stands for. */
export const classNamed = (name: string): string | undefined =>
  lookUp(classes, plain(name)) ?? lookUp(aliases, plain(name));

/** Its settings as a loss or a metric, with their defaults; undefined where there is no such class. */
export function settingsOfClass(kind: Kind, name: string): MeasureSettings[string] | undefined {
  if (kind === 'loss') return lookUp(lossSettings, name);
  return lookUp(metricSettings, name) ?? lookUp(lossSettings, name);
}

/** Is there a class of Keras's of that name and kind? Others are functions to it. */
export const isKerasClass = (kind: Kind, name: string): boolean =>
  kind === 'loss' || Object.hasOwn(metricSettings, name) || alsoMetrics.has(name);

/** How Keras calls it unless told. */
export function defaultName(kind: Kind, className: string): string {
  const own: { readonly [className: string]: string } =
    kind === 'loss'
      ? { Huber: 'huber_loss' }
      : { FBetaScore: 'fbeta_score', LogCoshError: 'logcosh' };
  return lookUp(own, className) ?? pythonName(className);
}

/** A name as Keras reads it: its own stay, ours become its. Undefined where it has none. */
export function kerasName(kind: Kind, name: string): string | undefined {
  if (shortNames.test(name)) return name;
  const className = classNamed(name);
  if (className === undefined || classOnly.has(className)) return undefined;
  if (!isKerasClass(kind, className)) return undefined;
  return name === className ? name : pythonName(className);
}

/** Defaults of Keras's that are not ours. */
export const ownDefaults: MeasureSettings = { BinaryIoU: { target_class_ids: [0, 1] } };

/** What Keras's configurations leave out; written where it is not the default, for its classes read it. */
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
