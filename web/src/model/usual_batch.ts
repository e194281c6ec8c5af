// SPDX-License-Identifier: MIT
// Shared by training, evaluation, workers and the command. `predict` itself leaves the choice to
// the core.
import { native, unwrap } from '../engine/engine.js';
import type { Layer } from '../layers/layer.js';

/** Default number of rows of a batch: that of the model's input if it is fixed, otherwise 32. */
export function usualBatch({ handle }: Layer): number {
  const { fixedBatch } = unwrap(native().layerInfo(handle));
  return fixedBatch > 0 ? fixedBatch : 32;
}
