// SPDX-License-Identifier: MIT
// Paths of weights in the `.keras` and `.weights.h5` files of Keras 2.12 to 2.15, as Keras 3 would write them.
import type { TreeWeights } from '../artifact.js';
import { splitNumber } from '../../base/numbered.js';

const kOldList = '_layer_checkpoint_dependencies';

/**
 * Keras 2.12 lists each layer that has weights twice, so that numbers are left out: dense, dense_2, dense_4. Saved on Windows, the
 * parts of a path stand with backslashes.
 */
export function treeOfKeras2(weights: TreeWeights): TreeWeights {
  const parts = new Map<string, string[]>();
  for (const path of weights.arrays.keys()) parts.set(path, path.replaceAll('\\', '/').split('/'));
  const numbers = runningNumbers([...parts.values()]);
  const renamed = (path: string): string => {
    const names = parts.get(path) ?? path.replaceAll('\\', '/').split('/');
    return names.map((name, i) => newName(names, name, i, numbers)).join('/');
  };
  const arrays = new Map(
    [...weights.arrays].map(([path, array]) => [renamed(path), { ...array, name: renamed(path) }]),
  );
  const names = new Map([...(weights.names ?? [])].map(([path, name]) => [renamed(path), name]));
  return { ...weights, arrays, names };
}

interface Member {
  /** The list and the class. */
  readonly family: string;
  readonly number: number;
  readonly base: string;
}

function memberAt(names: readonly string[], i: number): Member | null {
  if (i === 0 || names[i - 1] !== kOldList) return null;
  const [base, digits] = splitNumber(names[i] ?? '', '_');
  return { family: `${names.slice(0, i).join('/')}/${base}`, number: Number(digits || '0'), base };
}

/** For each family of layers, the numbers that occur, and their places in order. */
function runningNumbers(paths: readonly string[][]): Map<string, Map<number, number>> {
  const found = new Map<string, Set<number>>();
  for (const names of paths) {
    names.forEach((_, i) => {
      const member = memberAt(names, i);
      if (!member) return;
      found.set(member.family, (found.get(member.family) ?? new Set()).add(member.number));
    });
  }
  const places = (set: ReadonlySet<number>): Map<number, number> =>
    new Map([...set].sort((a, b) => a - b).map((number, place) => [number, place]));
  return new Map([...found].map(([family, set]) => [family, places(set)]));
}

function newName(
  names: readonly string[],
  name: string,
  i: number,
  numbers: ReadonlyMap<string, ReadonlyMap<number, number>>,
): string {
  if (name === kOldList) return 'layers';
  const member = memberAt(names, i);
  if (!member) return name;
  const place = numbers.get(member.family)?.get(member.number) ?? 0;
  return place > 0 ? `${member.base}_${place}` : member.base;
}
