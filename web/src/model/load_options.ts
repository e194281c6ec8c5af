// SPDX-License-Identifier: MIT
import type { ModelSource, SourceOptions } from '../base/model_source.js';
import type { MaskPropagation } from '../engine/runtime.js';
import type { Layer } from '../layers/layer.js';
import type { QuantizeOptions } from './quantize.js';

/** What stands for a class or layer that is not known here. */
export type CustomObject =
  | (new (
      ...args: never[]
    ) => Layer)
  | Layer
  // A layer of maskflow/text.
  | { readonly className: string; apply(data: never): unknown; getVocabulary(): unknown }
  // biome-ignore lint/suspicious/noExplicitAny: a Lambda's function takes what its layer is given
  | ((inputs: any, options: any) => unknown);

export interface LoadOptions extends SourceOptions {
  /**
   * Takes the weights from there (`.weights.h5`, `.h5`, a whole model), and of the source the architecture alone, such as the JSON of
   * `model.to_json()`. Null: no file has them, the model begins with what its initializers make.
   */
  weights?: ModelSource | null;
  /**
   * Classes of your own that are not registered, by registered or class name; and replacements of single layers, by
   * layer name: a class, a finished layer, or for a Lambda a function written with `ops`.
   */
  customObjects?: { readonly [name: string]: CustomObject };
  /**
   * Do recurrent layers, Bidirectional and TimeDistributed of this model pass masks on? As in the version that wrote
   * the file unless said: until Keras 3.15 yes, since 3.16 no. Where the file does not say, as `ready` was told.
   */
  maskPropagation?: MaskPropagation;
  /**
   * In `maskflow/train`: false leaves a model that was saved compiled uncompiled, and the state of its optimizer in the file. Default true.
   */
  compile?: boolean;
  /** What `hard_sigmoid` means: clip(0.2 x + 0.5) as in files of Keras 1, 2 and TF.js, or Keras 3's clip(x / 6 + 0.5). */
  hardSigmoid?: 'keras2' | 'keras3';
  /** Keeps kernels and tables in 8 bits as soon as they are read; see `Model.quantize`, which also reports what it costs. */
  quantize?: 'int8' | QuantizeOptions;
}

export interface SaveOptions {
  /** In `maskflow/train`: false leaves out what the model was compiled with, and the variables of its optimizer. Default true. */
  includeOptimizer?: boolean;
}

export interface LoadWeightsOptions extends SourceOptions {
  /**
   * Take only what the file has for layers of the same name, and leave the other layers as they are: Keras's `by_name`. For the
   * `.h5` of Keras 1 and 2 (Keras 3's legacy form) and TF.js.
   */
  byName?: boolean;
}
