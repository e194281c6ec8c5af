// SPDX-License-Identifier: MIT
// Keras's random functions. The distributions are Keras's, the sequences of numbers are not.
import { checkInteger, checkOptions, checkShape, refuse, show } from '../base/check.js';
import { ShapeError, ValueError } from '../base/errors.js';
import { settingsInOrder } from '../base/in_order.js';
import { asTensor, type DType, type Tensor, type TensorLike, tensor } from '../tensor/tensor.js';
import { binomialDraw } from './binomial.js';
import { multiply, take } from './ops.gen.js';
import { type RandomSeed, type RandomSource, SeedGenerator } from './random_source.js';

export { type RandomSeed, SeedGenerator };

/** Options of all functions of `random`. */
export interface RandomOptions {
  /** Integer for the same numbers in each call, or a generator; null: random. Default: null. */
  seed?: RandomSeed;
}

/** Names of {@link RandomOptions}. */
const common = { seed: 1 } as const;

/** Options of `normal` and `truncatedNormal`. */
export interface NormalOptions extends RandomOptions {
  /** Mean of the distribution. Default: 0. */
  mean?: number;
  /** Standard deviation of the distribution. Default: 1. */
  stddev?: number;
}

/** Options of `uniform`. */
export interface UniformOptions extends RandomOptions {
  /** Least number. Default: 0. */
  minval?: number;
  /** Bound above all numbers. Default: 1. */
  maxval?: number;
  /** 'int32' for integers. Default: 'float32'. */
  dtype?: 'float32' | 'int32';
}

/** Options of `dropout`. */
export interface DropoutOptions extends RandomOptions {
  /** Shape of the factors, which broadcast to `inputs`. Default: the shape of `inputs`. */
  noiseShape?: readonly number[] | null;
}

/** Options of `shuffle`. */
export interface ShuffleOptions extends RandomOptions {
  /** Axis of the slices. Default: 0. */
  axis?: number;
}

function filled(
  shape: readonly number[],
  options: RandomOptions,
  draw: (source: RandomSource, index: number) => number,
  dtype: DType = 'float32',
): Tensor {
  checkShape(shape);
  const source = SeedGenerator.sourceOf(options.seed);
  const size = shape.reduce((product, dim) => product * dim, 1);
  // tensor() would refuse more elements, too, but only after they are drawn.
  if (!(size < 2 ** 31)) throw new ShapeError(`the shape [${shape}] has too many elements`);
  const numbers = new Float64Array(size);
  for (let i = 0; i < size; i++) numbers[i] = draw(source, i);
  const data = dtype === 'int32' ? Int32Array.from(numbers) : Float32Array.from(numbers);
  return tensor(data, { shape: [...shape], dtype });
}

function checkNumbers(numbers: { readonly [name: string]: unknown }): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value !== 'number') refuse(name, 'a number', value);
  }
}

function checkShare(name: string, value: number): void {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) refuse(name, '0 to 1', value);
}

/** Names of {@link NormalOptions}. */
const normalOptions = { mean: 1, stddev: 1, ...common } as const;

/** Names of {@link UniformOptions}. */
const uniformOptions = { minval: 1, maxval: 1, dtype: 1, ...common } as const;

/** Returns options by position, in the order of `names`, or by name. */
const ordered = <Options extends object>(
  name: string,
  names: { readonly [Name in keyof Options]-?: 1 },
  args: readonly unknown[],
): Options =>
  checkOptions(settingsInOrder(`random.${name}`, Object.keys(names), args) as Options, names);

const isPositive = (value: unknown): boolean => typeof value === 'number' && value > 0;

/**
 * Numbers of the normal distribution.
 *
 * @param shape Shape of the result.
 */
export function normal(shape: readonly number[], options?: NormalOptions): Tensor;
/**
 * Options by position, as in Keras.
 *
 * @param shape Shape of the result.
 * @param mean Mean of the distribution.
 * @param stddev Standard deviation of the distribution. Default: 1.
 */
export function normal(
  shape: readonly number[],
  mean: number,
  stddev?: number,
  options?: RandomOptions,
): Tensor;
export function normal(shape: readonly number[], ...args: readonly unknown[]): Tensor {
  const {
    mean = 0,
    stddev = 1,
    ...options
  } = ordered<NormalOptions>('normal', normalOptions, args);
  checkNumbers({ mean, stddev });
  return filled(shape, options, (source) => mean + stddev * source.normal());
}

/**
 * Numbers of the normal distribution that are at most two deviations from the mean.
 *
 * @param shape Shape of the result.
 */
export function truncatedNormal(shape: readonly number[], options?: NormalOptions): Tensor;
/**
 * Options by position, as in Keras.
 *
 * @param shape Shape of the result.
 * @param mean Mean of the distribution.
 * @param stddev Standard deviation of the distribution. Default: 1.
 */
export function truncatedNormal(
  shape: readonly number[],
  mean: number,
  stddev?: number,
  options?: RandomOptions,
): Tensor;
export function truncatedNormal(shape: readonly number[], ...args: readonly unknown[]): Tensor {
  const {
    mean = 0,
    stddev = 1,
    ...options
  } = ordered<NormalOptions>('truncatedNormal', normalOptions, args);
  checkNumbers({ mean, stddev });
  return filled(shape, options, (source) => {
    for (;;) {
      const x = source.normal();
      if (Math.abs(x) <= 2) return mean + stddev * x;
    }
  });
}

/**
 * Numbers from `minval` up to, but not including, `maxval`; integers with dtype 'int32'.
 *
 * @param shape Shape of the result.
 */
export function uniform(shape: readonly number[], options?: UniformOptions): Tensor;
/**
 * Options by position, as in Keras.
 *
 * @param shape Shape of the result.
 * @param minval Least number.
 * @param maxval Bound above all numbers. Default: 1.
 */
export function uniform(
  shape: readonly number[],
  minval: number,
  maxval?: number,
  options?: Omit<UniformOptions, 'minval' | 'maxval'>,
): Tensor;
export function uniform(shape: readonly number[], ...args: readonly unknown[]): Tensor {
  const {
    minval = 0,
    maxval = 1,
    dtype = 'float32',
    ...seed
  } = ordered<UniformOptions>('uniform', uniformOptions, args);
  checkNumbers({ minval, maxval });
  if (dtype === 'int32') return randint(shape, minval, maxval, seed);
  // The largest double below 1 would be rounded to 1.
  return filled(
    shape,
    seed,
    (source) => minval + ((maxval - minval) * (source.next() >>> 8)) / 2 ** 24,
  );
}

/**
 * Integers from `minval` up to, but not including, `maxval`.
 *
 * @param shape Shape of the result.
 * @param minval Least integer.
 * @param maxval Bound above all integers.
 */
export function randint(
  shape: readonly number[],
  minval: number,
  maxval: number,
  options: RandomOptions = {},
): Tensor {
  checkNumbers({ minval, maxval });
  if (!(maxval > minval)) {
    throw new ValueError(`maxval is ${maxval} but must be above minval, which is ${minval}`);
  }
  const draw = (source: RandomSource) => minval + Math.floor((maxval - minval) * source.uniform());
  return filled(shape, checkOptions(options, common), draw, 'int32');
}

/**
 * Draws classes with the probabilities softmax(logits). Returns [batch, numSamples], int32.
 *
 * @param logits [batch, classes].
 * @param numSamples Number of classes that are drawn for each row.
 */
export function categorical(
  logits: TensorLike,
  numSamples: number,
  options: RandomOptions = {},
): Tensor {
  checkInteger('numSamples', numSamples, 0);
  const scores = asTensor(logits);
  const [batch, classes] = scores.shape;
  if (scores.rank !== 2 || !classes) {
    throw new ValueError(`logits must be [batch, classes], but have shape [${scores.shape}]`);
  }
  const data = Float64Array.from(scores.data());
  const sums = data.map((_, i) => {
    const row = data.subarray(i - (i % classes), i - (i % classes) + classes);
    const top = Math.max(...row);
    if (Number.isNaN(top)) throw new ValueError('logits contain NaN');
    const part = row.subarray(0, (i % classes) + 1);
    // One infinite logit has all of the probability.
    return part.reduce((sum, x) => sum + (x === top ? 1 : Math.exp(x - top)), 0);
  });
  const draw = (source: RandomSource, index: number) => {
    const first = Math.floor(index / numSamples) * classes;
    const row = sums.subarray(first, first + classes);
    const chosen = source.uniform() * (row.at(-1) as number);
    return row.findIndex((sum) => chosen < sum);
  };
  return filled([batch as number, numSamples], checkOptions(options, common), draw, 'int32');
}

/**
 * Sets a share `rate` of the elements to 0 and divides the others by 1 - rate.
 *
 * @param rate Share of the elements, from 0 to 1.
 */
export function dropout(inputs: TensorLike, rate: number, options: DropoutOptions = {}): Tensor {
  checkShare('rate', rate);
  const x = asTensor(inputs);
  const scale = rate === 1 ? 0 : 1 / (1 - rate);
  const draw = (source: RandomSource) => (source.uniform() < rate ? 0 : scale);
  const { noiseShape } = checkOptions(options, { noiseShape: 1, ...common });
  return multiply(x, filled(noiseShape ?? x.shape, options, draw));
}

/** Shuffles the slices along an axis. */
export function shuffle(x: TensorLike, options: ShuffleOptions = {}): Tensor {
  const values = asTensor(x);
  const { axis = 0, seed } = checkOptions(options, { axis: 1, ...common });
  const source = SeedGenerator.sourceOf(seed);
  const order = Int32Array.from({ length: values.shape.at(axis) ?? 0 }, (_, i) => i);
  for (let i = order.length - 1; i > 0; i--) {
    const k = Math.floor(source.uniform() * (i + 1));
    [order[i], order[k]] = [order[k] as number, order[i] as number];
  }
  return take(values, order, { axis });
}

/**
 * Numbers of the gamma distribution with scale 1.
 *
 * @param shape Shape of the result.
 * @param alpha Shape of the distribution, above 0.
 */
export function gamma(
  shape: readonly number[],
  alpha: number,
  options: RandomOptions = {},
): Tensor {
  if (!isPositive(alpha)) refuse('alpha', 'positive', alpha);
  return filled(shape, checkOptions(options, common), (source) => source.gamma(alpha));
}

/**
 * Numbers of the beta distribution.
 *
 * @param shape Shape of the result.
 * @param alpha First parameter, above 0.
 * @param betaValue Second parameter, above 0.
 */
export function beta(
  shape: readonly number[],
  alpha: number,
  betaValue: number,
  options: RandomOptions = {},
): Tensor {
  if (!isPositive(alpha) || !isPositive(betaValue)) {
    throw new ValueError(
      `alpha and beta are ${show(alpha)} and ${show(betaValue)} but must be positive`,
    );
  }
  return filled(shape, checkOptions(options, common), (source) => {
    const a = source.gamma(alpha);
    return a / (a + source.gamma(betaValue));
  });
}

/**
 * Numbers of successes among `counts` trials with a probability.
 *
 * @param shape Shape of the result.
 * @param counts Number of trials, a whole number. The time does not grow with it.
 * @param probability Probability of a success, from 0 to 1.
 */
export function binomial(
  shape: readonly number[],
  counts: number,
  probability: number,
  options: RandomOptions = {},
): Tensor {
  checkInteger('counts', counts, 0);
  checkShare('probability', probability);
  return filled(shape, checkOptions(options, common), binomialDraw(counts, probability));
}
