// SPDX-License-Identifier: MIT
import { native, unwrap } from '../engine/engine.js';
import type { Layer } from '../layers/layer.js';

/** Default number of rows of a batch: that of the model's input if it is fixed, otherwise 32. */
export function usualBatch({ handle }: Layer): number {
  const { fixedBatch } = unwrap(native().layerInfo(handle));
  return fixedBatch > 0 ? fixedBatch : 32;
}
