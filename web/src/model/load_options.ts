// SPDX-License-Identifier: MIT
// Options of loading and saving, and their names, which are checked before any reader is fetched.
import type { ModelSource, SourceOptions } from '../base/model_source.js';
import type { MaskPropagation } from '../engine/runtime.js';
import type { Layer } from '../layers/layer.js';
import type { QuantizeOptions } from './quantize.js';

/** Replacement for an unknown class or a layer of a model file. */
export type CustomObject =
  | (new (
      ...args: never[]
    ) => Layer)
  | Layer
  // A layer of maskflow/text.
  | { readonly className: string; apply(data: never): unknown; getConfig(): unknown }
  // biome-ignore lint/suspicious/noExplicitAny: a function of a Lambda has inputs of any type
  | ((inputs: any, options: any) => unknown)
  // biome-ignore lint/suspicious/noExplicitAny: functions of a switch have operands of any type
  | readonly ((...operands: any[]) => unknown)[];

/** Options of `loadModel`. */
export interface LoadOptions extends SourceOptions {
  /**
   * Source of the weights (`.weights.h5`, `.h5`, a whole model); the first source then provides
   * only the architecture, such as the JSON of `model.to_json()`. With null, the initializers
   * create the weights.
   */
  weights?: ModelSource | null;
  /**
   * Custom classes that are not registered, by registered or class name, and replacements for
   * single layers, by layer name: a class, a layer, or a function written with `ops`, for a Lambda
   * or an operation that calls a function (`scan`, `map` …). A `switch` has a list of functions.
   */
  customObjects?: { readonly [name: string]: CustomObject };
  /**
   * Whether recurrent layers, Bidirectional and TimeDistributed of this model pass masks on.
   * Default: as in the version of Keras that wrote the file (until 3.15 they do, since 3.16 they do
   * not). If the file does not name its version, the option of `ready` applies.
   */
  maskPropagation?: MaskPropagation;
  /**
   * Whether `maskflow/train` compiles a model that was saved compiled, with the state of its
   * optimizer. Default: true.
   */
  compile?: boolean;
  /**
   * Meaning of `hard_sigmoid`: clip(0.2 x + 0.5), the default for files of Keras 1, 2 and TF.js, or
   * clip(x / 6 + 0.5) as in Keras 3.
   */
  hardSigmoid?: 'keras2' | 'keras3';
  /**
   * Stores kernels and tables in 8 bits while reading; see `Model.quantize`, which also reports
   * errors.
   */
  quantize?: 'int8' | QuantizeOptions;
}

/** Options of `Model.save`. */
export interface SaveOptions {
  /**
   * Whether `maskflow/train` saves the compile configuration and the variables of the optimizer.
   * Default: true.
   */
  includeOptimizer?: boolean;
  /**
   * How matrices and kernels are stored. 'float16' halves the file; Keras and `loadModel` read
   * such weights as float32, with rounded numbers. Weights of one axis, and variables of
   * optimizers, stay float32. Default: 'float32'.
   */
  weights?: 'float32' | 'float16';
}

/** Types in which `Model.saveTfjs` can store weights. */
export type TfjsWeights = 'float32' | 'float16' | 'uint8';

/** Options of `Model.saveTfjs`. */
export interface SaveTfjsOptions {
  /**
   * How matrices and kernels are stored. 'float16' halves the file, 'uint8' makes it a quarter;
   * both are read as float32, with rounded numbers. Weights of one axis stay float32. Default:
   * 'float32'.
   */
  weights?: TfjsWeights;
}

/** Options of `Model.loadWeights`. */
export interface LoadWeightsOptions extends SourceOptions {
  /**
   * Whether to load only the weights of layers that have the same name in the file, as Keras's
   * `by_name`; other layers stay as they are. For the `.h5` of Keras 1 and 2 (Keras 3's legacy
   * form) and TF.js. Default: false.
   */
  byName?: boolean;
}
