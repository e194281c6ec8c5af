// SPDX-License-Identifier: MIT
// The functions of a CRF: log-likelihood, best tags, and probabilities.
import { ShapeError, ValueError } from '../base/errors.js';
import { add, multiply, subtract, sum } from '../ops/ops.gen.js';
import { asTensor, type Tensor, type TensorLike, tensor } from '../tensor/tensor.js';
import { tidy } from '../tensor/tidy.js';
import {
  type CrfMask,
  type CrfOptions,
  readScores,
  type ScoreTensor,
  scoreTensor,
} from './crf_scores.js';
import { bestPaths, marginalsOf, pathScores, type Scores, visitPath } from './lattice.js';

/** Result of {@link crfDecode}. */
export interface CrfTags {
  /** Best tags, int32 [batch, steps], with the mask; 0 at masked steps. */
  tags: Tensor;
  /** Score of these tags, [batch]; 0 for a sequence whose steps are all masked. */
  score: Tensor;
}

/** Returns the tag of each step: ids [batch, steps] or [batch, steps, 1], or one-hot rows. */
export function tagsIn(name: string, values: Tensor, scores: Scores): Int32Array[] {
  const { batch, steps, tags } = scores;
  const { shape } = values;
  const width = shape.length === 3 ? (shape[2] as number) : 1;
  const isKnown = shape.length === 2 || (shape.length === 3 && (width === 1 || width === tags));
  if (!isKnown || shape[0] !== batch || shape[1] !== steps) {
    throw new ShapeError(
      `${name}: the tags have shape [${shape}] but must be [${batch}, ${steps}], a tag for each step of the scores`,
    );
  }
  const data = values.data();
  return scores.kept.map((kept, row) => {
    const path = new Int32Array(steps);
    for (const step of kept) {
      const place = (row * steps + step) * width;
      const tag = width === 1 ? Number(data[place]) : oneIn(data, place, width);
      if (!Number.isInteger(tag) || tag < 0 || tag >= tags) {
        throw new ValueError(
          `${name}: tag ${tag} of sequence ${row}, step ${step}, is not an integer from 0 to ${tags - 1}; mask steps without a tag`,
        );
      }
      path[step] = tag;
    }
    return path;
  });
}

/** Returns the index of the largest of `count` values. */
function oneIn(data: ArrayLike<number>, place: number, count: number): number {
  let best = 0;
  for (let i = 1; i < count; i++) {
    if ((data[place + i] as number) > (data[place + best] as number)) best = i;
  }
  return best;
}

/**
 * The log-likelihood of paths, and the values that have its derivatives: the scores, multiplied by
 * the difference between the path's own pairs and their probabilities.
 */
export function logLikelihood(
  name: string,
  given: ScoreTensor,
  tags: Tensor,
): { scores: Scores; values: Float64Array; terms: Tensor } {
  const scores = readScores(given);
  const paths = tagsIn(name, tags, scores);
  const { logSums, pairs } = marginalsOf(scores);
  const values = pathScores(scores, paths).map((score, row) => score - (logSums[row] as number));
  paths.forEach((path, row) => {
    visitPath(scores, row, path, (index) => {
      (pairs[index] as number) -= 1;
    });
  });
  const { shape } = given.scores;
  // The difference is 0 and its derivative 1, so the product has only the derivative.
  const change = subtract(tensor(scores.data, { shape }), given.scores);
  return { scores, values, terms: multiply(change, tensor(pairs, { shape })) };
}

/**
 * Log-likelihood of the given tags in a linear-chain CRF, for each sequence: [batch]. Masked steps
 * count as removed, wherever they are. Gradients are exact, by the probabilities of all pairs.
 *
 * Throws ShapeError for shapes that do not fit each other, and ValueError for a tag that is not an
 * integer below the number of tags.
 *
 * @param potentials Score of each tag at each step, [batch, steps, tags].
 * @param tags Tag of each step, [batch, steps].
 * @param transitions Score of each pair, [tags, tags]: row = tag before, column = tag after.
 */
export function crfLogLikelihood(
  potentials: TensorLike,
  tags: TensorLike,
  transitions: TensorLike,
  options?: CrfOptions,
): Tensor {
  return tidy(() => {
    const given = scoreTensor('crfLogLikelihood', [potentials, transitions, options]);
    const { values, terms } = logLikelihood('crfLogLikelihood', given, asTensor(tags));
    return add(sum(terms, { axis: [1, 2, 3] }), tensor(Float32Array.from(values)));
  });
}

/**
 * Finds the tags with the highest score by Viterbi's algorithm. The first argument is the result of
 * a model that ends in the layer {@link CRF}, also that of `predict`, which has no mask: the layer
 * has marked the masked steps. Masked steps count as removed.
 *
 * Throws ShapeError for other shapes.
 *
 * @param scores Scores of pairs, [batch, steps, tags + 2, tags].
 */
export function crfDecode(scores: TensorLike, options?: CrfMask): CrfTags;
/**
 * With potentials and transitions, as in {@link crfLogLikelihood}.
 *
 * @param potentials Score of each tag at each step, [batch, steps, tags].
 * @param transitions Score of each pair, [tags, tags]: row = tag before, column = tag after.
 */
export function crfDecode(
  potentials: TensorLike,
  transitions: TensorLike,
  options?: CrfOptions,
): CrfTags;
export function crfDecode(
  first: TensorLike,
  second?: TensorLike | CrfMask,
  options?: CrfOptions,
): CrfTags {
  return tidy(() => {
    const scores = readScores(scoreTensor('crfDecode', [first, second as TensorLike, options]));
    const { paths, totals } = bestPaths(scores);
    const flat = new Int32Array(scores.batch * scores.steps);
    for (const [row, path] of paths.entries()) flat.set(path, row * scores.steps);
    const shape = [scores.batch, scores.steps];
    const tags = tensor(flat, { shape, dtype: 'int32' });
    return {
      tags: tags.withMask(tensor(keptMask(scores), { shape, dtype: 'bool' })),
      score: tensor(Float32Array.from(totals)),
    };
  });
}

/** Returns the kept steps as a mask. */
export function keptMask({ batch, steps, kept }: Scores): Uint8Array {
  const mask = new Uint8Array(batch * steps);
  kept.forEach((indices, row) => {
    for (const step of indices) mask[row * steps + step] = 1;
  });
  return mask;
}

/**
 * Probability of each tag at each step, [batch, steps, tags], over all paths: how sure the CRF is.
 * Masked steps have 0. The arguments are those of {@link crfDecode}. The result has no gradients.
 *
 * Throws ShapeError for other shapes.
 *
 * @param scores Scores of pairs, [batch, steps, tags + 2, tags].
 */
export function crfMarginals(scores: TensorLike, options?: CrfMask): Tensor;
/**
 * With potentials and transitions, as in {@link crfLogLikelihood}.
 *
 * @param potentials Score of each tag at each step, [batch, steps, tags].
 * @param transitions Score of each pair, [tags, tags]: row = tag before, column = tag after.
 */
export function crfMarginals(
  potentials: TensorLike,
  transitions: TensorLike,
  options?: CrfOptions,
): Tensor;
export function crfMarginals(
  first: TensorLike,
  second?: TensorLike | CrfMask,
  options?: CrfOptions,
): Tensor {
  return tidy(() => {
    const scores = readScores(scoreTensor('crfMarginals', [first, second as TensorLike, options]));
    const { batch, steps, tags } = scores;
    const shape = [batch, steps, tags];
    const result = tensor(marginalsOf(scores).tags, { shape });
    return result.withMask(tensor(keptMask(scores), { shape: [batch, steps], dtype: 'bool' }));
  });
}
