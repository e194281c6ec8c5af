// SPDX-License-Identifier: MIT
// The interface for programs that do not care whether a model is in this thread, a worker or a
// pool.
import type { Nested, NestedArray, TypedArray } from '../base/nested.js';
import type { PredictOptions } from './predict_options.js';
import type { MaskLike, Tensor, TensorData } from '../tensor/tensor.js';
import type { DType } from '../tensor/dtype.js';

/** The members that a `Tensor` and a `WorkerTensor` share. */
export interface Prediction {
  /** Sizes of the axes, outermost first. */
  readonly shape: readonly number[];
  /** Element type. */
  readonly dtype: DType;
  /** Number of axes. */
  readonly rank: number;
  /** Number of elements. */
  readonly size: number;
  /** Elements in row-major order. */
  data(): TensorData;
  /** Nested arrays of the elements. */
  array(): NestedArray<number | boolean>;
  /** The only element. Throws ShapeError unless the size is 1. */
  item(): number;
  /** Frees the wasm memory of a `Tensor`; does nothing for a `WorkerTensor`. */
  dispose(): void;
  /** Calls `dispose()`; for `using`. */
  [Symbol.dispose](): void;
}

/** Outputs of a model: one, a list or a dictionary. */
export type Predictions = Prediction | Prediction[] | { [name: string]: Prediction };

type Input = Tensor | Nested | TypedArray;

/**
 * A model in any place: the members that a `Model`, a model of a worker and one of a pool share.
 *
 * @example
 * const classify = async (model: Predictor, ids: number[][]) =>
 *   (await model.predictAsync(ids)).array();
 */
export interface Predictor<Outputs extends Predictions = Prediction> {
  /** Name of the model. */
  readonly name: string;
  /** Number of elements of all weights. */
  countParams(): number;
  /** Computes the outputs like `Model.predict`. Dispose of the result when you have used it. */
  predictAsync(
    inputs: Input | readonly Tensor[] | { readonly [name: string]: Input },
    options?: { mask?: MaskLike } & Pick<PredictOptions, 'batchSize' | 'signal'>,
  ): Promise<Outputs>;
  /** Frees the model and its weights. */
  dispose(): void;
  /** Calls `dispose()`; for `using`. */
  [Symbol.dispose](): void;
}
