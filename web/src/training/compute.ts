// SPDX-License-Identifier: MIT
// `computeLoss` and `computeMetrics` of the base class.
import { isPlain } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import type { LayerOutputs } from '../layers/args.js';
import type { Training } from '../model/services.js';
import type { Logs } from '../model/train_options.js';
import type { Trainable } from '../model/trainable.js';
import { tidy } from '../tensor/tidy.js';
import { scalarOf } from './added_losses.js';
import { compiledOf } from './compiled.js';
import { tensorsByKey } from './data.js';
import { lossesOfLayers } from './layer_losses.js';
import { totalOf } from './objective.js';
import { batchFor } from './tracked_metrics.js';

interface LossArguments {
  readonly y: unknown;
  readonly yPred: LayerOutputs;
  readonly sampleWeight: unknown;
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** Returns the weights in `{ sampleWeight }`, or the value itself. */
function weightsIn(value: unknown): unknown {
  if (!isPlain(value)) return value;
  const [name, ...others] = Object.keys(value);
  return name === 'sampleWeight' && others.length === 0 ? value['sampleWeight'] : value;
}

const isOptions = (value: unknown): boolean => isPlain(value) && weightsIn(value) !== value;

/** Returns shape of the first tensor in a structure. */
const shapeIn = (value: unknown): readonly number[] =>
  tidy(() => Object.values(tensorsByKey(value))[0]?.shape ?? []);

/**
 * Returns whether the third of three values is weights, as in (y, yPred, sampleWeight), or
 * predictions, as in (x, y, yPred). Weights have fewer axes than predictions, or a last one of 1.
 */
function isWeights(third: unknown, second: unknown): boolean {
  const isList = Array.isArray(third) && third.some(isMissing);
  if (isList) return true;
  const [weights, predictions] = [shapeIn(third), shapeIn(second)];
  if (weights.length !== predictions.length) return weights.length < predictions.length;
  const isColumn = weights.length > 1 && weights.at(-1) === 1;
  if (weights.length > 1 && !isColumn) return false;
  if (isColumn && predictions.at(-1) !== 1) return true;
  throw new ValueError(
    `computeLoss(): the third value, of shape [${weights}], may be predictions or weights; write computeLoss(y, yPred, { sampleWeight }) or computeLoss(x, y, yPred, null)`,
  );
}

/** Returns the arguments of `computeLoss`, in Keras's order or without x. */
function lossArguments(args: readonly unknown[]): LossArguments {
  const [first, second, third, fourth] = args;
  if (args.length > 3) {
    return { y: second, yPred: third as LayerOutputs, sampleWeight: weightsIn(fourth) };
  }
  const isShort = isMissing(third) || isOptions(third) || isWeights(third, second);
  return isShort
    ? { y: first, yPred: second as LayerOutputs, sampleWeight: weightsIn(third) }
    : { y: second, yPred: third as LayerOutputs, sampleWeight: null };
}

export const computeLoss: Training['computeLoss'] = (model, args) => {
  const { objective, penalties } = compiledOf(model, 'computeLoss');
  const { y, yPred, sampleWeight } = lossArguments(args);
  if (isMissing(yPred)) {
    throw new ValueError(
      'computeLoss() needs predictions: computeLoss(y, yPred) or computeLoss(x, y, yPred, sampleWeight)',
    );
  }
  return tidy(() => {
    const batch = batchFor(yPred, y, sampleWeight);
    const losses = penalties ?? lossesOfLayers.of(model).map(scalarOf);
    const cost = objective.cost(yPred, batch, losses);
    if (objective.lossMeans.length > 0) objective.countLosses(cost);
    const total = totalOf(cost);
    if (total) return total;
    throw new ValueError('computeLoss() needs a loss; give one: compile({ loss })');
  });
};

export const computeMetrics: Training['computeMetrics'] = (model, y, yPred, sampleWeight) => {
  const { objective } = compiledOf(model, 'computeMetrics');
  if (objective.hasMetrics) {
    const outputs = yPred as LayerOutputs;
    tidy(() => objective.countMetrics(outputs, batchFor(outputs, y, weightsIn(sampleWeight))));
  }
  return (model as unknown as Trainable).getMetricsResult() as Logs;
};
