// SPDX-License-Identifier: MIT
import type { CallOptions, LayerInputs, LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';

/** What streams and quantization need of a model: a layer that computes any number of rows. */
export interface Runnable extends Layer {
  predict<T extends LayerOutputs>(
    inputs: LayerInputs,
    options?: CallOptions & { batchSize?: number; workers?: undefined },
  ): T;
}
