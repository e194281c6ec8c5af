// SPDX-License-Identifier: MIT
// The inputs of batches that `predict` reads: these may also have targets and weights.
import { isPlain } from '../base/check.js';
import { kInputCount, type LayerInputs, leaves } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';

/**
 * Returns the inputs of a batch. As in Keras, `[x, y]` and `[x, y, sampleWeight]` are x, unless the
 * list has a tensor for each input of the model, or a custom model is not built.
 */
export function inputsOfBatch(model: Layer, batch: unknown): LayerInputs {
  if (isPlain(batch) && 'xs' in batch) return batch['xs'] as LayerInputs;
  if (!Array.isArray(batch) || batch.length > 3) return batch as LayerInputs;
  const count = model.isCustom && !model.builtFor ? null : model[kInputCount];
  const hasTargets = leaves(batch).length !== count && leaves(batch[0]).length === count;
  return (hasTargets ? batch[0] : batch) as LayerInputs;
}
