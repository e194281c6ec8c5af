// SPDX-License-Identifier: MIT
import type { DType } from '../tensor/dtype.js';
import type { InitializerLike, PolicyLike } from './keras_names.js';

/** Dimensions, null where unknown. */
export type Shape = (number | null)[];
/** Input shapes that a layer or model was built for. */
export type BuiltFor = Shape | Shape[] | { [name: string]: Shape };
/** Config of a layer or model, as JSON. */
export type Config = { [key: string]: unknown };

/** Settings that all layers have. */
export interface LayerConfig {
  /** Unique name in a model. Default: the class name in snake_case, with a number. */
  name?: string;
  /** Whether training changes the weights. Default: true. */
  trainable?: boolean;
  /** Name of a dtype policy; kept in the config. All policies compute in float32. */
  dtype?: PolicyLike;
  /**
   * Shape of the input, without the batch, of the first layer of a Sequential model. Same as an
   * `Input` before the layer.
   */
  inputShape?: Shape;
  /** Same as `inputShape`, with the batch. */
  batchInputShape?: Shape;
}

/** Description of a weight. */
export interface WeightInfo {
  name: string;
  /** Name with the names of the layers around it. */
  path: string;
  shape: number[];
  dtype: DType;
  trainable: boolean;
}

/** Options of `addWeight`. */
export interface WeightOptions {
  name: string;
  shape: readonly number[];
  /** Name or Keras configuration. Default: 'glorotUniform'. */
  initializer?: InitializerLike;
  /** Default: true. */
  trainable?: boolean;
  /** Default: 'float32'. */
  dtype?: DType;
}
