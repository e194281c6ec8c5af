// SPDX-License-Identifier: MIT
// Converts paths of weights in `.keras` and `.weights.h5` files of Keras 2.12 to 2.15 to Keras 3's.
import type { TreeWeights } from '../artifact.js';
import { splitNumber } from '../../base/numbered.js';

const kOldList = '_layer_checkpoint_dependencies';

/**
 * Converts all paths. Keras 2.12 counts each layer with weights twice: dense, dense_2, dense_4.
 * Files saved on Windows have backslashes in their paths.
 */
export function treeOfKeras2(weights: TreeWeights): TreeWeights {
  const parts = new Map<string, string[]>();
  for (const path of weights.arrays.keys()) parts.set(path, path.replaceAll('\\', '/').split('/'));
  const numbers = runningNumbers([...parts.values()]);
  const rename = (path: string): string => {
    const names = parts.get(path) ?? path.replaceAll('\\', '/').split('/');
    return names.map((name, i) => newName(names, name, i, numbers)).join('/');
  };
  // Keras 2 has the variables of an optimizer in another order.
  const arrays = new Map(
    [...weights.arrays]
      .filter(([path]) => !/^optimizer[\\/]/.test(path))
      .map(([path, array]) => [rename(path), { ...array, name: rename(path) }]),
  );
  const names = new Map([...(weights.names ?? [])].map(([path, name]) => [rename(path), name]));
  return { ...weights, arrays, names };
}

/** A layer in a list. */
interface Member {
  /** Path of the list, and the class. */
  readonly family: string;
  readonly number: number;
  readonly base: string;
}

function memberAt(names: readonly string[], i: number): Member | null {
  if (i === 0 || names[i - 1] !== kOldList) return null;
  const [base, digits] = splitNumber(names[i] ?? '', '_');
  return { family: `${names.slice(0, i).join('/')}/${base}`, number: Number(digits || '0'), base };
}

/** Returns, for each family of layers, the position of each number among those that occur. */
function runningNumbers(paths: readonly string[][]): Map<string, Map<number, number>> {
  const families = new Map<string, Set<number>>();
  for (const names of paths) {
    names.forEach((_, i) => {
      const member = memberAt(names, i);
      if (!member) return;
      const numbers = families.get(member.family) ?? new Set();
      families.set(member.family, numbers.add(member.number));
    });
  }
  const positions = (set: ReadonlySet<number>): Map<number, number> =>
    new Map([...set].sort((a, b) => a - b).map((number, position) => [number, position]));
  return new Map([...families].map(([family, set]) => [family, positions(set)]));
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
  const position = numbers.get(member.family)?.get(member.number) ?? 0;
  return position > 0 ? `${member.base}_${position}` : member.base;
}
