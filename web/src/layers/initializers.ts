// SPDX-License-Identifier: MIT
// `initializers` of maskflow and maskflow/train. The core has the initializers themselves; these
// functions only write their configs.
import { checkOptions } from '../base/check.js';
import { named } from '../base/named.js';
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
interface VarianceScaling extends Seeded {
  /** Factor of the variance. Default: 1. */
  scale?: number;
  /** The size that divides the variance. Default: 'fan_in'. */
  mode?: 'fan_in' | 'fan_out' | 'fan_avg';
  /** Distribution of the numbers. Default: 'truncated_normal'. */
  distribution?: 'truncated_normal' | 'untruncated_normal' | 'uniform';
}

/** Functions of `initializers`. */
export interface Initializers {
  /** Zeros. */
  zeros(): Initializer;
  /** Ones. */
  ones(): Initializer;
  /** All elements are `value`. Default: 0. */
  constant(settings?: { value?: number }): Initializer;
  /** Ones on the diagonal of a matrix, times `gain`; zeros elsewhere. */
  identity(settings?: { gain?: number }): Initializer;
  /** Normally distributed numbers. */
  randomNormal(settings?: Normal): Initializer;
  /** Normally distributed numbers at most two standard deviations from the mean. */
  truncatedNormal(settings?: Normal): Initializer;
  /** Uniformly distributed numbers from `minval` (-0.05) to `maxval` (0.05). */
  randomUniform(settings?: Seeded & { minval?: number; maxval?: number }): Initializer;
  /** Random numbers whose variance depends on the size of the weight. */
  varianceScaling(settings?: VarianceScaling): Initializer;
  /** Random orthogonal matrices, times `gain`. */
  orthogonal(settings?: Seeded & { gain?: number }): Initializer;
  /** Normal numbers with the variance 2 / (inputs + outputs) (Glorot and Bengio 2010). */
  glorotNormal(settings?: Seeded): Initializer;
  /** Uniform numbers with the variance 2 / (inputs + outputs) (Glorot and Bengio 2010). */
  glorotUniform(settings?: Seeded): Initializer;
  /** Normal numbers with the variance 2 / inputs (He et al. 2015). */
  heNormal(settings?: Seeded): Initializer;
  /** Uniform numbers with the variance 2 / inputs (He et al. 2015). */
  heUniform(settings?: Seeded): Initializer;
  /** Normal numbers with the variance 1 / inputs (LeCun et al. 1998). */
  lecunNormal(settings?: Seeded): Initializer;
  /** Uniform numbers with the variance 1 / inputs (LeCun et al. 1998). */
  lecunUniform(settings?: Seeded): Initializer;
}

// Each item is the name of a class with the names of its settings.
const makers = () =>
  [
    'Zeros Ones Constant:value Identity:gain RandomNormal:mean:stddev:seed',
    'TruncatedNormal:mean:stddev:seed RandomUniform:minval:maxval:seed',
    'VarianceScaling:scale:mode:distribution:seed Orthogonal:gain:seed GlorotNormal:seed',
    'GlorotUniform:seed HeNormal:seed HeUniform:seed LecunNormal:seed LecunUniform:seed',
  ]
    .join(' ')
    .split(' ')
    .map((item) => {
      const [name = '', ...settings] = item.split(':');
      const known = Object.fromEntries(settings.map((setting) => [setting, 1])) as never;
      return [
        name.charAt(0).toLowerCase() + name.slice(1),
        (options?: object): Initializer => ({
          class_name: name,
          config: { ...checkOptions(options, known) },
        }),
      ];
    });

/**
 * Keras's initializers: `layers.dense({ units: 2, kernelInitializer: initializers.heNormal() })`.
 */
export const initializers: Initializers = /* @__PURE__ */ named(
  /* @__PURE__ */ Object.fromEntries(/* @__PURE__ */ makers()) as Initializers,
  'initializers',
);
