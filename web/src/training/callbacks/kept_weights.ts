// SPDX-License-Identifier: MIT
import type { Layer } from '../../layers/layer.js';
import type { TensorData } from '../../tensor/tensor.js';
import { tidy } from '../../tensor/tidy.js';

/** Values of weights outside of the wasm memory: nothing has to be given back. */
export type KeptWeights = readonly TensorData[];

export const copyWeights = (layer: Layer): KeptWeights =>
  tidy(() => layer.getWeights().map((weight) => weight.data()));
