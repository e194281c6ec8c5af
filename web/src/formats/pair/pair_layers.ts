// SPDX-License-Identifier: MIT
import type { LayerWeights, NamedArray, StoredLayer } from '../artifact.js';
import { pairPrefixes } from './pair_prefixes.js';
import { pairUnits } from './pair_units.js';
import type { Pairing } from './pairing.js';
import type { TreeNode, TreeWeight } from '../tree.js';
import { ownUnit, unitsOf, type WeightUnit } from './weight_units.js';

/** A layer of the model, and all that is inside. */
interface Place {
  readonly name: string;
  readonly units: readonly WeightUnit[];
}

/**
 * Pairs weights that are stored by layer, as Keras 1 and 2 and TF.js store them, with those of a model: by the names of layers
 * where these are the same on both sides, else in the order of the layers, as Keras does. Within a layer shapes
 * decide, names are a hint. With `byName` only layers of the same name are looked at.
 */
export function pairLayers(tree: TreeNode, weights: LayerWeights, byName = false): Pairing {
  if (weights.level === 'inner') return pairPrefixes(unrepeated(unitsOf(tree)), weights, byName);
  const places = placesOf(tree);
  const stored = weights.layers.filter((layer) => layer.weights.length > 0);
  const pairing: Pairing = { pairs: [], missing: [], extra: [] };
  const matches = matchedLayers(places, stored, byName);
  for (const [place, layer] of matches) {
    pairOne(place.units, layer.weights, weights.backend, pairing);
  }
  if (byName) return pairing;
  const ours = new Set(matches.map(([place]) => place));
  const theirs = new Set(matches.map(([, layer]) => layer));
  for (const place of places) if (!ours.has(place)) pairing.missing.push(...weightsOf(place));
  for (const layer of stored) if (!theirs.has(layer)) pairing.extra.push(...layer.weights);
  return pairing;
}

/** A layer that stands at several places counts at the first. */
function unrepeated(units: readonly WeightUnit[]): WeightUnit[] {
  const seen = new Set<TreeWeight | undefined>();
  return units.filter(({ weights: [first] }) => !seen.has(first) && seen.add(first));
}

const weightsOf = ({ units }: Place): TreeWeight[] => units.flatMap(({ weights }) => weights);

function placesOf(tree: TreeNode): Place[] {
  const layers = tree.inside.map((node) => ({ name: node.info.name, units: unitsOf(node) }));
  const own = { name: 'top_level_model_weights', units: ownUnit(tree) };
  return [...layers, own].filter(({ units }) => units.length > 0);
}

function matchedLayers(
  places: readonly Place[],
  stored: readonly StoredLayer[],
  byName: boolean,
): (readonly [Place, StoredLayer])[] {
  const ofName = new Map([...stored].reverse().map((layer) => [layer.name, layer]));
  const named = places.flatMap((place) => {
    const layer = ofName.get(place.name);
    return layer ? [[place, layer] as const] : [];
  });
  const inOrder = !byName && places.length === stored.length && named.length < places.length;
  return inOrder ? places.map((place, i) => [place, stored[i] as StoredLayer] as const) : named;
}

function pairOne(
  units: readonly WeightUnit[],
  arrays: readonly NamedArray[],
  backend: string,
  { pairs, missing, extra }: Pairing,
): void {
  const found = pairUnits(units, arrays, backend);
  if (found) {
    pairs.push(...found);
    return;
  }
  // What is of another shape is told from what is missing by its place.
  const weights = units.flatMap((unit) => unit.weights);
  weights.forEach((weight, i) => {
    const array = arrays[i];
    if (array) pairs.push({ weight, array });
    else missing.push(weight);
  });
  extra.push(...arrays.slice(weights.length));
}
