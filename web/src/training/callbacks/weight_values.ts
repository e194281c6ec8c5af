// SPDX-License-Identifier: MIT
// The copy that earlyStopping keeps of the best weights.
import type { Layer } from '../../layers/layer.js';
import type { TensorData } from '../../tensor/tensor.js';
import { tidy } from '../../tensor/tidy.js';

/** Values of weights in JavaScript memory, which need not be freed. */
export type WeightValues = readonly TensorData[];

/** Copies the values of all weights. */
export const copyWeights = (layer: Layer): WeightValues =>
  tidy(() => layer.getWeights().map((weight) => weight.data()));
