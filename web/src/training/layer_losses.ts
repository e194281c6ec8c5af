// SPDX-License-Identifier: MIT
import type { AddedLosses } from '../layers/added_losses.js';
import type { Layer } from '../layers/layer.js';
import { objectsInside } from '../layers/layer_objects.js';
import { addLosses, beginLayerCall, lossesSince } from './added_losses.js';
import { weightPenalties } from './regularizers.js';

/** Returns the layer and those inside, each once. */
function withInner(layer: Layer, layers = new Set<Layer>()): Set<Layer> {
  if (layers.has(layer)) return layers;
  layers.add(layer);
  for (const inner of objectsInside<Layer>(layer.handle)) withInner(inner, layers);
  return layers;
}

export const lossesOfLayers: AddedLosses = {
  begin: beginLayerCall,
  add: addLosses,
  of: (layer: Layer) => [...lossesSince(layer, withInner(layer)), ...weightPenalties(layer)],
};
