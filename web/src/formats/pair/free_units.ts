// SPDX-License-Identifier: MIT
import { elementCount, sum } from '../../base/array.js';
import type { NamedArray, StoredLayer } from '../artifact.js';
import type { WeightUnit } from './weight_units.js';

const countOf = ({ shape }: { readonly shape: readonly number[] }): number => elementCount(shape);

const sumOf = (arrays: readonly Pick<NamedArray, 'shape'>[]): number => sum(arrays.map(countOf));

/** Of layers of cuDNN the file has a second bias. */
function sizesOf({ className, weights }: WeightUnit): number[] {
  const size = sumOf(weights);
  const bias = className === 'LSTM' ? weights[2] : undefined;
  return bias ? [size, size + countOf(bias)] : [size];
}

/** Units that have no arrays yet, found by names and by sizes: in a file of many layers all cannot be tried for each. */
export class FreeUnits {
  readonly #all = new Set<WeightUnit>();
  readonly #byName = new Map<string, Set<WeightUnit>>();
  readonly #bySize = new Map<number, Set<WeightUnit>>();
  /** Most parts that a name of a layer has: names may have slashes. */
  #widest = 1;

  constructor(units: readonly WeightUnit[]) {
    for (const unit of units) this.add(unit);
  }

  get left(): WeightUnit[] {
    return [...this.#all];
  }

  add(unit: WeightUnit): void {
    this.#all.add(unit);
    for (const name of unit.names) {
      this.#widest = Math.max(this.#widest, name.split('/').length);
      note(this.#byName, name, unit);
    }
    for (const size of sizesOf(unit)) note(this.#bySize, size, unit);
  }

  take(unit: WeightUnit): void {
    this.#all.delete(unit);
    for (const name of unit.names) this.#byName.get(name)?.delete(unit);
    for (const size of sizesOf(unit)) this.#bySize.get(size)?.delete(unit);
  }

  /** Those that the arrays may be of. */
  ofSize({ weights }: StoredLayer): WeightUnit[] {
    return [...(this.#bySize.get(sumOf(weights)) ?? [])];
  }

  /** Those that a prefix names best: by how many of their names are in it, then by whether the outermost one is in front. */
  named({ name: prefix }: StoredLayer): WeightUnit[] {
    const sets = this.#namesIn(prefix).sort((a, b) => a.size - b.size);
    const [rarest = []] = sets;
    const all = [...rarest].filter((unit) => sets.every((set) => set.has(unit)));
    const best = all.length > 0 ? all : inMost(sets);
    const inFront = best.filter(({ names }) => `${prefix}/`.startsWith(`${names[1]}/`));
    return inFront.length > 0 ? inFront : best;
  }

  /** The units with each name that stands in a prefix. */
  #namesIn(prefix: string): ReadonlySet<WeightUnit>[] {
    const parts = prefix.split('/');
    const found = new Set<ReadonlySet<WeightUnit>>();
    for (let from = 0; from < parts.length; from++) {
      for (let size = 1; size <= this.#widest && from + size <= parts.length; size++) {
        const units = this.#byName.get(parts.slice(from, from + size).join('/'));
        if (units && units.size > 0) found.add(units);
      }
    }
    return [...found];
  }
}

function note<K>(index: Map<K, Set<WeightUnit>>, key: K, unit: WeightUnit): void {
  const known = index.get(key);
  if (known) known.add(unit);
  else index.set(key, new Set([unit]));
}

function inMost(sets: readonly ReadonlySet<WeightUnit>[]): WeightUnit[] {
  const counts = new Map<WeightUnit, number>();
  for (const set of sets) for (const unit of set) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  const most = Math.max(0, ...new Set(counts.values()));
  return [...counts].filter(([, count]) => count === most).map(([unit]) => unit);
}
