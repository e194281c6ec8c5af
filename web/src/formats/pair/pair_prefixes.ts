// SPDX-License-Identifier: MIT
// TF.js names weights by the layers around them, in any order: which of the model's layers a prefix such as
// `bidirectional/forward_lstm/lstm_cell` means.
import type { LayerWeights, NamedArray, StoredLayer } from '../artifact.js';
import { FreeUnits } from './free_units.js';
import { pairUnits, plainName } from './pair_units.js';
import type { Pair, Pairing } from './pairing.js';
import type { WeightUnit } from './weight_units.js';

/** The weights of the model that each prefix means: by name, and what no name tells by shape and order. */
export function pairPrefixes(
  units: readonly WeightUnit[],
  { layers, backend }: LayerWeights,
  byName: boolean,
): Pairing {
  const free = new FreeUnits(units);
  const pairs: Pair[] = [];
  const take = (candidates: readonly WeightUnit[], stored: StoredLayer): boolean => {
    const found = pairUnits(candidates, stored.weights, backend);
    if (!found) return false;
    pairs.push(...found);
    for (const unit of candidates) free.take(unit);
    return true;
  };
  const unnamed = layers.filter((stored) => !takeNamed(free, stored, take));
  if (byName) return { pairs, missing: [], extra: [] };
  const left = unnamed.filter(
    (stored) => !free.ofSize(stored).some((unit) => take([unit], stored)),
  );
  const extra = left.flatMap((stored) => takeByName(free, stored, pairs));
  return { pairs, missing: free.left.flatMap(({ weights }) => weights), extra };
}

/** Tries the units that the prefix names best: all of them together (a model inside), then each by itself. */
function takeNamed(
  free: FreeUnits,
  stored: StoredLayer,
  take: (candidates: readonly WeightUnit[], stored: StoredLayer) => boolean,
): boolean {
  const best = free.named(stored);
  if (best.length === 0) return false;
  return take(best, stored) || best.some((unit) => take([unit], stored));
}

/** Of a layer that does not fit as a whole, what has the same name, so that the rest can be told; the rest comes back. */
function takeByName(free: FreeUnits, stored: StoredLayer, pairs: Pair[]): readonly NamedArray[] {
  const [unit] = free.named(stored);
  if (!unit) return stored.weights;
  const left = [...stored.weights];
  const missing = unit.weights.filter((weight) => {
    const at = left.findIndex((array) => plainName(array) === weight.name);
    const [array] = at < 0 ? [] : left.splice(at, 1);
    if (array) pairs.push({ weight, array });
    return !array;
  });
  free.take(unit);
  if (missing.length > 0) free.add({ ...unit, weights: missing });
  return left;
}
