// SPDX-License-Identifier: MIT
// TF.js names weights by the layers around them, such as `bidirectional/forward_lstm/lstm_cell`,
// and stores them in any order. This file finds the layer for each prefix.
import { append } from '../../base/array.js';
import type { LayerWeights, NamedArray, StoredLayer } from '../artifact.js';
import { FreeUnits } from './free_units.js';
import { pairUnits, plainName } from './pair_units.js';
import type { Pair, Pairing } from './pairing.js';
import type { WeightUnit } from './weight_units.js';

/** Pairs weights by prefix: first by name, then the rest by shape and order. */
export function pairPrefixes(
  units: readonly WeightUnit[],
  { layers, backend }: LayerWeights,
  byName: boolean,
): Pairing {
  const free = new FreeUnits(units);
  const pairs: Pair[] = [];
  const pair = (candidates: readonly WeightUnit[], stored: StoredLayer): boolean => {
    const fitting = pairUnits(candidates, stored.weights, backend);
    if (!fitting) return false;
    append(pairs, fitting);
    for (const unit of candidates) free.delete(unit);
    return true;
  };
  const unnamed = layers.filter((stored) => !pairNamed(free, stored, pair));
  if (byName) return { pairs, missing: [], extra: [] };
  const unpaired = unnamed.filter(
    (stored) => !free.ofSize(stored).some((unit) => pair([unit], stored)),
  );
  const extra = unpaired.flatMap((stored) => pairByWeightName(free, stored, pairs));
  return { pairs, missing: free.all.flatMap(({ weights }) => weights), extra };
}

/** Tries the units that fit the prefix best: all together, as a nested model, then each alone. */
function pairNamed(
  free: FreeUnits,
  stored: StoredLayer,
  pair: (candidates: readonly WeightUnit[], stored: StoredLayer) => boolean,
): boolean {
  const best = free.named(stored);
  if (best.length === 0) return false;
  return pair(best, stored) || best.some((unit) => pair([unit], stored));
}

/**
 * Pairs weights of a layer that does not fit as a whole by their names, so that the error lists
 * only the differences. Returns the unpaired arrays.
 */
function pairByWeightName(
  free: FreeUnits,
  stored: StoredLayer,
  pairs: Pair[],
): readonly NamedArray[] {
  const [unit] = free.named(stored);
  if (!unit) return stored.weights;
  const unpaired = [...stored.weights];
  const missing = unit.weights.filter((weight) => {
    const index = unpaired.findIndex((array) => plainName(array) === weight.name);
    const [array] = index < 0 ? [] : unpaired.splice(index, 1);
    if (array) pairs.push({ weight, array });
    return !array;
  });
  free.delete(unit);
  if (missing.length > 0) free.add({ ...unit, weights: missing });
  return unpaired;
}
