// SPDX-License-Identifier: MIT
import { native, unwrap } from '../engine/engine.js';
import type { Layer } from '../layers/layer.js';

/** Rows of a batch unless the call gives another size. */
export function usualBatch({ handle }: Layer): number {
  const { fixedBatch } = unwrap(native().layerInfo(handle));
  return fixedBatch > 0 ? fixedBatch : 32;
}
