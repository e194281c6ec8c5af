// SPDX-License-Identifier: MIT
// The index of pair_prefixes.ts: layers of the model that still need arrays of a TensorFlow.js
// file.
import { elementCount, sum } from '../../base/array.js';
import type { NamedArray, StoredLayer } from '../artifact.js';
import type { WeightUnit } from './weight_units.js';

const countOf = ({ shape }: { readonly shape: readonly number[] }): number => elementCount(shape);

const sumOf = (arrays: readonly Pick<NamedArray, 'shape'>[]): number => sum(arrays.map(countOf));

/** Possible numbers of elements in a file: the LSTM of cuDNN has a second bias. */
function sizesOf({ className, weights }: WeightUnit): number[] {
  const size = sumOf(weights);
  const bias = className === 'LSTM' ? weights[2] : undefined;
  return bias ? [size, size + countOf(bias)] : [size];
}

/** Units without arrays, indexed by name and size: trying all for each layer would be quadratic. */
export class FreeUnits {
  readonly #all = new Set<WeightUnit>();
  readonly #byName = new Map<string, Set<WeightUnit>>();
  readonly #bySize = new Map<number, Set<WeightUnit>>();
  /** Largest number of parts of a layer name: names may contain slashes. */
  #maxParts = 1;

  constructor(units: readonly WeightUnit[]) {
    for (const unit of units) this.add(unit);
  }

  get all(): WeightUnit[] {
    return [...this.#all];
  }

  add(unit: WeightUnit): void {
    this.#all.add(unit);
    for (const name of unit.names) {
      this.#maxParts = Math.max(this.#maxParts, name.split('/').length);
      addTo(this.#byName, name, unit);
    }
    for (const size of sizesOf(unit)) addTo(this.#bySize, size, unit);
  }

  delete(unit: WeightUnit): void {
    this.#all.delete(unit);
    for (const name of unit.names) this.#byName.get(name)?.delete(unit);
    for (const size of sizesOf(unit)) this.#bySize.get(size)?.delete(unit);
  }

  /** The units with as many elements as the arrays. */
  ofSize({ weights }: StoredLayer): WeightUnit[] {
    return [...(this.#bySize.get(sumOf(weights)) ?? [])];
  }

  /**
   * The units that fit a prefix best: those with the most names in it, and among them those whose
   * outermost name is its first part.
   */
  named({ name: prefix }: StoredLayer): WeightUnit[] {
    const sets = this.#namesIn(prefix).sort((a, b) => a.size - b.size);
    const [rarest = []] = sets;
    const all = [...rarest].filter((unit) => sets.every((set) => set.has(unit)));
    const best = all.length > 0 ? all : mostFrequent(sets);
    const inFront = best.filter(({ names }) => `${prefix}/`.startsWith(`${names[1]}/`));
    return inFront.length > 0 ? inFront : best;
  }

  /** Returns, for each layer name in a prefix, the units with this name. */
  #namesIn(prefix: string): ReadonlySet<WeightUnit>[] {
    const parts = prefix.split('/');
    const sets = new Set<ReadonlySet<WeightUnit>>();
    for (let from = 0; from < parts.length; from++) {
      for (let size = 1; size <= this.#maxParts && from + size <= parts.length; size++) {
        const units = this.#byName.get(parts.slice(from, from + size).join('/'));
        if (units && units.size > 0) sets.add(units);
      }
    }
    return [...sets];
  }
}

function addTo<K>(index: Map<K, Set<WeightUnit>>, key: K, unit: WeightUnit): void {
  const units = index.get(key);
  if (units) units.add(unit);
  else index.set(key, new Set([unit]));
}

/** The units that are in the largest number of sets. */
function mostFrequent(sets: readonly ReadonlySet<WeightUnit>[]): WeightUnit[] {
  const counts = new Map<WeightUnit, number>();
  for (const set of sets) for (const unit of set) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  const max = Math.max(0, ...new Set(counts.values()));
  return [...counts].filter(([, count]) => count === max).map(([unit]) => unit);
}
