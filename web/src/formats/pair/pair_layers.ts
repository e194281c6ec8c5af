// SPDX-License-Identifier: MIT
// Pairing for files that store weights by layer: `.h5` of Keras 1 and 2, and TensorFlow.js. load.ts
// calls it or pair_tree.ts.
import { append } from '../../base/array.js';
import type { LayerWeights, NamedArray, StoredLayer } from '../artifact.js';
import { pairPrefixes } from './pair_prefixes.js';
import { pairUnits } from './pair_units.js';
import type { Pairing } from './pairing.js';
import type { TreeNode, TreeWeight } from '../tree.js';
import { ownUnit, unitsOf, type WeightUnit } from './weight_units.js';

/** A layer of the model with the weights of all layers inside it. */
interface ModelLayer {
  readonly name: string;
  readonly units: readonly WeightUnit[];
}

/**
 * Pairs weights that Keras 1, Keras 2 or TF.js stored by layer with those of a model: by layer name
 * if all names agree, else in the order of the layers, as Keras does. Within a layer, shapes
 * decide and names are a hint. `byName` uses only layers with the same name.
 */
export function pairLayers(tree: TreeNode, weights: LayerWeights, byName = false): Pairing {
  if (weights.level === 'inner') return pairPrefixes(distinct(unitsOf(tree)), weights, byName);
  const layers = modelLayers(tree);
  const stored = weights.layers.filter((layer) => layer.weights.length > 0);
  const pairing: Pairing = { pairs: [], missing: [], extra: [] };
  const matches = matchLayers(layers, stored, byName);
  for (const [layer, { weights: arrays }] of matches) {
    pairLayer(layer.units, arrays, weights.backend, pairing);
  }
  if (byName) return pairing;
  const paired = new Set<ModelLayer | StoredLayer>(matches.flat());
  for (const layer of layers) if (!paired.has(layer)) append(pairing.missing, weightsOf(layer));
  for (const layer of stored) if (!paired.has(layer)) append(pairing.extra, layer.weights);
  return pairing;
}

/** The units without repetitions of shared layers. */
function distinct(units: readonly WeightUnit[]): WeightUnit[] {
  const seen = new Set<TreeWeight | undefined>();
  return units.filter(({ weights: [first] }) => !seen.has(first) && seen.add(first));
}

const weightsOf = ({ units }: ModelLayer): TreeWeight[] => units.flatMap(({ weights }) => weights);

/** The layers of the model that have weights, and the model itself if it has its own. */
function modelLayers(tree: TreeNode): ModelLayer[] {
  const layers = tree.sublayers.map((node) => ({ name: node.info.name, units: unitsOf(node) }));
  const modelItself = { name: 'top_level_model_weights', units: ownUnit(tree) };
  return [...layers, modelItself].filter(({ units }) => units.length > 0);
}

/** Matches layers by name; if some name is missing and the counts agree, in order. */
function matchLayers(
  layers: readonly ModelLayer[],
  stored: readonly StoredLayer[],
  byName: boolean,
): (readonly [ModelLayer, StoredLayer])[] {
  const byLayerName = new Map([...stored].reverse().map((layer) => [layer.name, layer]));
  const named = layers.flatMap((layer) => {
    const match = byLayerName.get(layer.name);
    return match ? [[layer, match] as const] : [];
  });
  const isInOrder = !byName && layers.length === stored.length && named.length < layers.length;
  return isInOrder ? layers.map((layer, i) => [layer, stored[i] as StoredLayer] as const) : named;
}

function pairLayer(
  units: readonly WeightUnit[],
  arrays: readonly NamedArray[],
  backend: string,
  { pairs, missing, extra }: Pairing,
): void {
  const fitting = pairUnits(units, arrays, backend);
  if (fitting) {
    append(pairs, fitting);
    return;
  }
  // Paired by position, the error can tell other shapes from missing weights.
  const weights = units.flatMap((unit) => unit.weights);
  weights.forEach((weight, i) => {
    const array = arrays[i];
    if (array) pairs.push({ weight, array });
    else missing.push(weight);
  });
  append(extra, arrays.slice(weights.length));
}
