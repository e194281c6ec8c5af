// SPDX-License-Identifier: MIT
// Types of shapes, configs and weights in the public API of layers and models.
import type { DType } from '../tensor/dtype.js';
import type { InitializerLike, PolicyLike } from './keras_names.js';

/** Dimensions, null where unknown. */
export type Shape = (number | null)[];
/** A shape as an argument, which the package never changes. */
export type ShapeLike = readonly (number | null)[];
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
  inputShape?: ShapeLike;
  /** Same as `inputShape`, with the batch. */
  batchInputShape?: ShapeLike;
}

/** Description of a weight. */
export interface WeightInfo {
  /** Name of the weight in its layer, such as 'kernel'. */
  name: string;
  /** Name with the names of the enclosing layers, such as `lstm/lstm_cell/kernel`. */
  path: string;
  /** Sizes of the axes, outermost first. */
  shape: number[];
  /** Element type. */
  dtype: DType;
  /** Whether training changes the weight. */
  trainable: boolean;
}

/** Options of `addWeight`. */
export interface WeightOptions {
  /** Name of the weight in its layer, such as 'kernel'. Default: variable, variable_1, … */
  name?: string | null;
  /** Sizes of the axes, outermost first. Default: [], one number. */
  shape?: readonly number[];
  /** Creates the first value: a name, a Keras config or a function. Default: 'glorotUniform'. */
  initializer?: InitializerLike;
  /** Whether training changes the weight. Default: true. */
  trainable?: boolean;
  /** Element type. Default: 'float32'. */
  dtype?: DType;
}
