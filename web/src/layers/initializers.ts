// SPDX-License-Identifier: MIT
// `initializers` of maskflow and maskflow/train. The core has the initializers themselves; these
// functions only write their configs.
import { checkOptions } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import { inOrder } from '../base/in_order.js';
import { isTypedArray, type Nested, type TypedArray } from '../base/nested.js';
import { isTensor, type Tensor } from '../tensor/tensor.js';
import type { SeedLike } from './keras_names.js';

/** An initializer in Keras's form, for settings such as `kernelInitializer`. */
export interface Initializer {
  /** Class name in Keras. */
  readonly class_name: string;
  /** Settings under Keras's names. */
  readonly config: object;
}

interface Seeded {
  /** Seed in Keras, kept in the config. The numbers here depend on the seed of `ready` only. */
  seed?: SeedLike;
}
interface Normal extends Seeded {
  /** Mean of the numbers. Default: 0. */
  mean?: number;
  /** Standard deviation of the numbers. Default: 0.05. */
  stddev?: number;
}
interface Uniform extends Seeded {
  /** Lower bound of the numbers. Default: -0.05. */
  minval?: number;
  /** Upper bound of the numbers. Default: 0.05. */
  maxval?: number;
}
interface Orthogonal extends Seeded {
  /** Factor of the matrices. Default: 1. */
  gain?: number;
}
interface VarianceScaling extends Seeded {
  /** Factor of the variance. Default: 1. */
  scale?: number;
  /** The size that divides the variance. Default: 'fan_in'. */
  mode?: 'fan_in' | 'fan_out' | 'fan_avg';
  /** Distribution of the numbers. Default: 'truncated_normal'. */
  distribution?: 'truncated_normal' | 'untruncated_normal' | 'uniform';
}

/** One number, or numbers that repeat along axes of size 1, or missing ones, of a weight. */
type Values = number | Nested | TypedArray | Tensor;

/** Functions of `initializers`. Settings have names, or their positions in Keras. */
export interface Initializers {
  /** Zeros. */
  zeros(): Initializer;
  /** Ones. */
  ones(): Initializer;
  /**
   * All elements are `value`; or the weight begins with these numbers, a tensor or nested lists.
   * As in Keras, configs and files contain them. Default: 0.
   *
   * Throws ConfigError for more than a million numbers; `setWeights` accepts any.
   */
  constant(settings?: {
    /** One number, or the numbers. Default: 0. */
    value?: Values;
  }): Initializer;
  constant(value: Values): Initializer;
  /** Ones on the diagonal of a matrix, times `gain`; zeros elsewhere. */
  identity(settings?: {
    /** Factor of the matrices. Default: 1. */
    gain?: number;
  }): Initializer;
  identity(gain: number): Initializer;
  /** Normally distributed numbers. */
  randomNormal(settings?: Normal): Initializer;
  /**
   * @param mean Mean of the numbers.
   * @param stddev Standard deviation of the numbers. Default: 0.05.
   */
  randomNormal(mean: number, stddev?: number | Normal, seed?: SeedLike): Initializer;
  /** Normally distributed numbers at most two standard deviations from the mean. */
  truncatedNormal(settings?: Normal): Initializer;
  /**
   * @param mean Mean of the numbers.
   * @param stddev Standard deviation of the numbers. Default: 0.05.
   */
  truncatedNormal(mean: number, stddev?: number | Normal, seed?: SeedLike): Initializer;
  /** Uniformly distributed numbers from `minval` (-0.05) to `maxval` (0.05). */
  randomUniform(settings?: Uniform): Initializer;
  /**
   * @param minval Lower bound of the numbers.
   * @param maxval Upper bound of the numbers. Default: 0.05.
   */
  randomUniform(minval: number, maxval?: number | Uniform, seed?: SeedLike): Initializer;
  /** Random numbers whose variance depends on the size of the weight. */
  varianceScaling(settings?: VarianceScaling): Initializer;
  /**
   * @param scale Factor of the variance.
   * @param mode The size that divides the variance. Default: 'fan_in'.
   * @param distribution Distribution of the numbers. Default: 'truncated_normal'.
   */
  varianceScaling(
    scale: number,
    mode?: VarianceScaling['mode'] | VarianceScaling,
    distribution?: VarianceScaling['distribution'] | VarianceScaling,
    seed?: SeedLike,
  ): Initializer;
  /** Random orthogonal matrices, times `gain`. */
  orthogonal(settings?: Orthogonal): Initializer;
  orthogonal(gain: number, seed?: SeedLike | Orthogonal): Initializer;
  /** Normal numbers with the variance 2 / (inputs + outputs) (Glorot and Bengio 2010). */
  glorotNormal(settings?: number | Seeded): Initializer;
  /** Uniform numbers with the variance 2 / (inputs + outputs) (Glorot and Bengio 2010). */
  glorotUniform(settings?: number | Seeded): Initializer;
  /** Normal numbers with the variance 2 / inputs (He et al. 2015). */
  heNormal(settings?: number | Seeded): Initializer;
  /** Uniform numbers with the variance 2 / inputs (He et al. 2015). */
  heUniform(settings?: number | Seeded): Initializer;
  /** Normal numbers with the variance 1 / inputs (LeCun et al. 1998). */
  lecunNormal(settings?: number | Seeded): Initializer;
  /** Uniform numbers with the variance 1 / inputs (LeCun et al. 1998). */
  lecunUniform(settings?: number | Seeded): Initializer;
}

/** Largest array in a config, which the core and files read number by number. */
const kMostNumbers = 1e6;

const sizeOf = (value: unknown): number =>
  Array.isArray(value) ? value.reduce((sum, item) => sum + sizeOf(item), 0) : 1;

/** Returns nested lists without typed arrays. */
const listsOf = (value: unknown): unknown => {
  if (isTypedArray(value)) return Array.from(value as ArrayLike<number>);
  return Array.isArray(value) ? value.map(listsOf) : value;
};

/** Converts a value for a config, which has the dtype of a tensor beside its lists, as in Keras. */
function plainValue(value: unknown): unknown {
  const size = isTensor(value) ? value.size : sizeOf(listsOf(value));
  if (size > kMostNumbers) {
    throw new ConfigError(
      `initializers.constant was given ${size} numbers, but configs hold at most ${kMostNumbers}; build the layer and call setWeights() instead, or write layers.embedding({ …, weights: [matrix] })`,
    );
  }
  if (!isTensor(value)) return listsOf(value);
  const { dtype } = value;
  return { class_name: '__numpy__', config: { value: value.array(), dtype } };
}

const isArray = (value: unknown): boolean =>
  isTensor(value) || isTypedArray(value) || Array.isArray(value);

/**
 * Keras's initializers: `layers.dense({ units: 2, kernelInitializer: initializers.heNormal() })`.
 */
export const initializers: Initializers = /* @__PURE__ */ inOrder(
  // Each word is the name of a class with those of its settings, in Keras's order.
  'Zeros Ones Constant:value Identity:gain RandomNormal:mean:stddev:seed ' +
    'TruncatedNormal:mean:stddev:seed RandomUniform:minval:maxval:seed ' +
    'VarianceScaling:scale:mode:distribution:seed Orthogonal:gain:seed GlorotNormal:seed ' +
    'GlorotUniform:seed HeNormal:seed HeUniform:seed LecunNormal:seed LecunUniform:seed',
  (class_name, settings, order): Initializer => {
    const known = Object.fromEntries(order.map((name) => [name, 1])) as never;
    const config: { value?: unknown } = { ...checkOptions(settings, known) };
    if (isArray(config.value)) config.value = plainValue(config.value);
    else if (typeof config.value === 'boolean') config.value = Number(config.value);
    return { class_name, config };
  },
  'initializers',
);
