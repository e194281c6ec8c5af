// SPDX-License-Identifier: MIT
// Names that settings of layers accept. tests/web/names.test.js compares them with the core's.
import type { AnyCase, EitherCase } from '../base/names.js';
import type { DType } from '../tensor/dtype.js';
import type { Tensor, TensorLike } from '../tensor/tensor.js';

/** Name of a Keras activation function, such as 'tanh' or 'hardSigmoid'; null is 'linear'. */
export type ActivationName = EitherCase<
  | 'celu'
  | 'elu'
  | 'exp'
  | 'exponential'
  | 'gelu'
  | 'glu'
  | 'hard_shrink'
  | 'hard_sigmoid'
  | 'hard_sigmoid_keras2'
  | 'hard_silu'
  | 'hard_swish'
  | 'hard_tanh'
  | 'leaky_relu'
  | 'linear'
  | 'log_sigmoid'
  | 'log_softmax'
  | 'mish'
  | 'relu'
  | 'relu6'
  | 'selu'
  | 'sigmoid'
  | 'silu'
  | 'soft_shrink'
  | 'softmax'
  | 'softplus'
  | 'softsign'
  | 'sparse_plus'
  | 'sparse_sigmoid'
  | 'sparsemax'
  | 'squareplus'
  | 'swish'
  | 'tanh'
  | 'tanh_shrink'
  | 'threshold'
> | null;

/** Activation or constraint that is a function: returns a tensor of the same shape. */
export type TensorFunction = (x: Tensor) => Tensor;
/** Initializer that is a function: returns the first value of a weight of this shape. */
export type InitializerFunction = (shape: number[], options: { dtype: DType }) => TensorLike;
/**
 * Name of a Keras activation function, or a function of a tensor:
 * `activation: (x) => ops.multiply(x, 2)`. Models with functions are saved if these are registered
 * with `registerFunction`.
 */
export type ActivationLike = ActivationName | TensorFunction;

/** Name of a Keras initializer. */
export type InitializerName =
  | AnyCase<
      | 'constant'
      | 'glorot_normal'
      | 'glorot_uniform'
      | 'he_normal'
      | 'he_uniform'
      | 'identity'
      | 'lecun_normal'
      | 'lecun_uniform'
      | 'ones'
      | 'orthogonal'
      | 'random_normal'
      | 'random_uniform'
      | 'truncated_normal'
      | 'variance_scaling'
      | 'zeros'
    >
  // Names in Keras 1 and Keras 2.
  | 'normal'
  | 'one'
  | 'uniform'
  | 'zero';
/**
 * Name of a Keras initializer, `{ class_name, config }`, or a function of the shape; null is
 * 'zeros'.
 */
export type InitializerLike =
  | InitializerName
  | { class_name: string; config?: object }
  | InitializerFunction
  | null;

/**
 * Name of a Keras regularizer, `{ class_name, config }`, a function that returns the penalty of a
 * tensor as one number, or null.
 */
export type RegularizerLike =
  | AnyCase<'l1' | 'l2' | 'l1_l2' | 'orthogonal_regularizer'>
  | { readonly class_name: string; readonly config?: object }
  | TensorFunction
  | null;
/**
 * Name of a Keras constraint, `{ class_name, config }`, one of `constraints` of maskflow/train, a
 * function that returns the weight after a step, or null.
 */
export type ConstraintLike =
  | AnyCase<'max_norm' | 'min_max_norm' | 'non_neg' | 'unit_norm'>
  | { readonly class_name: string; readonly config?: object }
  | TensorFunction
  | null;

/**
 * Name of a Keras dtype policy, or `{ class_name, config }` of one. All of them compute in float32.
 */
export type PolicyLike =
  | 'float32'
  | 'float16'
  | 'bfloat16'
  | 'float64'
  | 'mixed_float16'
  | 'mixed_bfloat16'
  | 'int32'
  | 'int64'
  | 'int16'
  | 'int8'
  | 'uint8'
  | 'bool'
  | { class_name: string; config: { name: string } }
  | null;

/** A number, or nested lists of numbers. */
export type NumberLists = number | readonly NumberLists[];
/** A seed, or a Keras configuration of a seed generator. */
export type SeedLike = number | { class_name: string; config: object } | null;
