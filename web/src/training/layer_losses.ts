// SPDX-License-Identifier: MIT
// The property `losses` of layers: it supplies the service that layers/added_losses.ts declares, to
// entries with `evaluate`.
import { leaves } from '../layers/args.js';
import type { AddedLosses } from '../layers/added_losses.js';
import type { Layer } from '../layers/layer.js';
import { objectsInside } from '../layers/layer_objects.js';
import {
  addLosses,
  beginLayerCall,
  forgetLosses,
  hasLosses,
  keepLastBatch,
  lossesSince,
} from './added_losses.js';
import { usualBatch } from '../model/usual_batch.js';
import type { Tensor } from '../tensor/tensor.js';
import { applyRegularized, weightPenalties } from './regularizers.js';

/** Returns the layer and those inside, each once. */
function withInner(layer: Layer, layers = new Set<Layer>()): Set<Layer> {
  if (layers.has(layer)) return layers;
  layers.add(layer);
  for (const inner of objectsInside<Layer>(layer.handle)) withInner(inner, layers);
  return layers;
}

/**
 * As in Keras, each batch of a prediction is a call whose losses replace the earlier ones.
 *
 * @param size Rows of a batch; 0: all rows, negative: the usual number.
 */
function endPrediction(model: Layer, outputs: unknown, size: number): void {
  if (!hasLosses() || size === 0) return;
  const [rows] = (leaves(outputs)[0]?.[1] as Tensor | undefined)?.shape ?? [];
  const batches = Math.ceil((rows ?? 0) / (size < 0 ? usualBatch(model) : size));
  if (batches > 1) keepLastBatch(withInner(model), batches);
}

export const lossesOfLayers: AddedLosses = {
  begin: beginLayerCall,
  apply: applyRegularized,
  end: endPrediction,
  add: addLosses,
  forget: forgetLosses,
  of: (layer: Layer) => [...lossesSince(layer, withInner(layer)), ...weightPenalties(layer)],
};
