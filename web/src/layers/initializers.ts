// SPDX-License-Identifier: MIT
// Keras's initializers as configurations: `initializers.heNormal({ seed: 1 })`.
import { checkOptions } from '../base/check.js';
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

const maker =
  <Settings extends object>(className: string, names: readonly string[] = ['seed']) =>
  (settings?: Settings): Initializer => ({
    class_name: className,
    config: {
      ...checkOptions(settings, Object.fromEntries(names.map((name) => [name, 1])) as never),
    },
  });

/** Zeros. */
export const zeros = /* @__PURE__ */ maker<Record<never, never>>('Zeros', []);
/** Ones. */
export const ones = /* @__PURE__ */ maker<Record<never, never>>('Ones', []);
/** The same number everywhere. Default: 0. */
export const constant = /* @__PURE__ */ maker<{ value?: number }>('Constant', ['value']);
/** Ones on the diagonal of a matrix, times `gain`; zeros elsewhere. */
export const identity = /* @__PURE__ */ maker<{ gain?: number }>('Identity', ['gain']);
/** Normally distributed numbers. */
export const randomNormal = /* @__PURE__ */ maker<Normal>('RandomNormal', [
  'mean',
  'stddev',
  'seed',
]);
/** Normally distributed numbers at most two standard deviations from the mean. */
export const truncatedNormal = /* @__PURE__ */ maker<Normal>('TruncatedNormal', [
  'mean',
  'stddev',
  'seed',
]);
/** Uniformly distributed numbers from `minval` (-0.05) to `maxval` (0.05). */
export const randomUniform = /* @__PURE__ */ maker<Seeded & { minval?: number; maxval?: number }>(
  'RandomUniform',
  ['minval', 'maxval', 'seed'],
);
/** Random numbers whose variance depends on the size of the weight. */
export const varianceScaling = /* @__PURE__ */ maker<
  Seeded & {
    scale?: number;
    mode?: 'fan_in' | 'fan_out' | 'fan_avg';
    distribution?: 'truncated_normal' | 'untruncated_normal' | 'uniform';
  }
>('VarianceScaling', ['scale', 'mode', 'distribution', 'seed']);
/** Random orthogonal matrices, times `gain`. */
export const orthogonal = /* @__PURE__ */ maker<Seeded & { gain?: number }>('Orthogonal', [
  'gain',
  'seed',
]);
/** Normal numbers with the variance 2 / (inputs + outputs) (Glorot and Bengio 2010). */
export const glorotNormal = /* @__PURE__ */ maker<Seeded>('GlorotNormal');
/** Uniform numbers with the variance 2 / (inputs + outputs) (Glorot and Bengio 2010). */
export const glorotUniform = /* @__PURE__ */ maker<Seeded>('GlorotUniform');
/** Normal numbers with the variance 2 / inputs (He et al. 2015). */
export const heNormal = /* @__PURE__ */ maker<Seeded>('HeNormal');
/** Uniform numbers with the variance 2 / inputs (He et al. 2015). */
export const heUniform = /* @__PURE__ */ maker<Seeded>('HeUniform');
/** Normal numbers with the variance 1 / inputs (LeCun et al. 1998). */
export const lecunNormal = /* @__PURE__ */ maker<Seeded>('LecunNormal');
/** Uniform numbers with the variance 1 / inputs (LeCun et al. 1998). */
export const lecunUniform = /* @__PURE__ */ maker<Seeded>('LecunUniform');
