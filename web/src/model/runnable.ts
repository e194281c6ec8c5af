// SPDX-License-Identifier: MIT
// Stands for Model in files that model.ts imports, so that they do not import each other.
import type { CallOptions, LayerInputs, LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';

/** The part of a model that streams and quantization use. */
export interface Runnable extends Layer {
  /** See `Model.predict`. */
  predict<T extends LayerOutputs>(
    inputs: LayerInputs,
    options?: CallOptions & { batchSize?: number; workers?: undefined },
  ): T;
}
