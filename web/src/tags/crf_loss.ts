// SPDX-License-Identifier: MIT
// The loss and the accuracy of a model that ends in the layer CRF.
import { checkOptions } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import type { LossOptions } from '../measures/loss.js';
import { add, multiply, sum } from '../ops/ops.gen.js';
import { asTensor, type Tensor, type TensorLike, tensor } from '../tensor/tensor.js';
import { tidy } from '../tensor/tidy.js';
import { keptMask, logLikelihood, tagsIn } from './crf_functions.js';
import { readScores, scoreTensor } from './crf_scores.js';
import { bestPaths } from './lattice.js';

/** Returns the weight of each sequence. Sequences without a kept step have weight 0. */
function weightsOf(
  sampleWeight: TensorLike | null | undefined,
  kept: readonly Int32Array[],
): Float32Array {
  const weights = Float32Array.from(kept, (steps) => Number(steps.length > 0));
  if (sampleWeight === undefined || sampleWeight === null) return weights;
  const given = asTensor(sampleWeight);
  if (given.size !== kept.length) {
    throw new ShapeError(
      `crfLoss: the sample weights have shape [${given.shape}] but must be [${kept.length}], one for each sequence`,
    );
  }
  const values = given.data();
  return weights.map((weight, row) => weight * Number(values[row]));
}

/**
 * Loss of a model that ends in the layer {@link CRF}: the negative log-likelihood of the true tags,
 * as a mean over the sequences. Masked steps count as removed. Sequences whose steps are all masked
 * do not count.
 *
 * Throws ShapeError for shapes that do not fit, and ValueError for a tag that is not an integer
 * below the number of tags.
 *
 * @param yTrue Tag of each step, [batch, steps] or [batch, steps, 1], or one-hot [batch, steps,
 * tags].
 * @param yPred Output of the layer, [batch, steps, tags + 2, tags].
 * @param options Weights of the sequences, [batch], a mask in place of that of `yPred`, and the
 * reduction: 'sum_over_batch_size' (default), 'sum', or 'none' for [batch].
 */
export function crfLoss(yTrue: TensorLike, yPred: TensorLike, options: LossOptions = {}): Tensor {
  return tidy(() => {
    const { sampleWeight, mask, reduction } = checkOptions(options, {
      sampleWeight: 1,
      mask: 1,
      reduction: 1,
    });
    const given = scoreTensor('crfLoss', [yPred, mask === undefined ? {} : { mask }]);
    const { scores, values, terms } = logLikelihood('crfLoss', given, asTensor(yTrue));
    const weights = weightsOf(sampleWeight, scores.kept);
    const count = Math.max(1, scores.kept.filter((steps) => steps.length > 0).length);
    const isMean = reduction !== 'sum' && reduction !== 'none' && reduction !== null;
    const shares = weights.map((weight) => -weight / (isMean ? count : 1));
    const likelihoods = add(sum(terms, { axis: [1, 2, 3] }), tensor(Float32Array.from(values)));
    const losses = multiply(likelihoods, tensor(shares));
    return reduction === 'none' || reduction === null ? losses : sum(losses);
  });
}

/**
 * Metric of a model that ends in the layer {@link CRF}: whether the best tag of each step is the
 * true one, [batch, steps], with the mask; the metric is the share of kept steps.
 *
 * Throws what {@link crfLoss} throws.
 *
 * @param yTrue Tag of each step, as for the loss.
 * @param yPred Output of the layer, [batch, steps, tags + 2, tags].
 */
export function crfAccuracy(yTrue: TensorLike, yPred: TensorLike): Tensor {
  return tidy(() => {
    const scores = readScores(scoreTensor('crfAccuracy', [yPred]));
    const paths = tagsIn('crfAccuracy', asTensor(yTrue), scores);
    const best = bestPaths(scores).paths;
    const { batch, steps } = scores;
    const shape = [batch, steps];
    const hits = new Float32Array(batch * steps);
    paths.forEach((path, row) => {
      for (const step of scores.kept[row] as Int32Array) {
        hits[row * steps + step] = Number(path[step] === best[row]?.[step]);
      }
    });
    const mask = tensor(keptMask(scores), { shape, dtype: 'bool' });
    return tensor(hits, { shape }).withMask(mask);
  });
}
