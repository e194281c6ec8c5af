// SPDX-License-Identifier: MIT
import type { Nested, NestedArray, TypedArray } from '../base/nested.js';
import type { MaskLike, Tensor, TensorData } from '../tensor/tensor.js';
import type { DType } from '../tensor/dtype.js';

/** What a `Tensor` and a `WorkerTensor` have alike. */
export interface Prediction {
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly rank: number;
  readonly size: number;
  data(): TensorData;
  array(): NestedArray<number | boolean>;
  item(): number;
  /** Gives memory back, where there is any to give back. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** What a model makes of its inputs: one, a list or a dictionary. */
export type Predictions = Prediction | Prediction[] | { [name: string]: Prediction };

type Input = Tensor | Nested | TypedArray;

/**
 * A model wherever it computes: what a `Model` here, one of a worker and one of a pool have alike.
 *
 * @example const classify = async (model: Predictor, ids: number[][]) => (await model.predictAsync(ids)).array();
 */
export interface Predictor<Outputs extends Predictions = Prediction> {
  readonly name: string;
  countParams(): number;
  /** As `Model.predict`, as a promise. Whoever waits for it disposes of the result. */
  predictAsync(
    inputs: Input | readonly Tensor[] | { readonly [name: string]: Input },
    options?: { mask?: MaskLike; batchSize?: number; signal?: AbortSignal },
  ): Promise<Outputs>;
  dispose(): void;
  [Symbol.dispose](): void;
}
