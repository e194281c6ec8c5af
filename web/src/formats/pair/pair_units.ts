// SPDX-License-Identifier: MIT
// Pairing within one layer of an old file, where the order of the arrays depends on what was
// trainable.
import { sum } from '../../base/array.js';
import type { NamedArray } from '../artifact.js';
import { splitNumber } from '../../base/numbered.js';
import type { Pair } from './pairing.js';
import { convertArrays, keras1Count } from './stored_units.js';
import type { WeightUnit } from './weight_units.js';

/** Indices of a unit and of one of its arrays in the file. */
type Slot = readonly [unit: number, index: number];

// Weights that are never trained. A frozen layer does not tell them from its other weights.
const kStatistics = new Set([
  'moving_mean',
  'moving_variance',
  'moving_stddev',
  'mean',
  'variance',
  'count',
  'vector_u',
]);

/**
 * Pairs the arrays of a file's layer with the units of a model's layer. Tries Keras's orders:
 * trainable weights first, or as created if the layer was frozen. Among those whose shapes fit,
 * returns the one with the most equal names; null if none fits.
 */
export function pairUnits(
  units: readonly WeightUnit[],
  arrays: readonly NamedArray[],
  backend: string,
): Pair[] | null {
  let best: Pair[] | null = null;
  let bestScore = -1;
  for (const counts of countsOf(units, arrays.length)) {
    for (const order of ordersOf(units, counts)) {
      const pairs = pairsInOrder(units, counts, order, arrays, backend);
      const score = pairs ? pairs.filter(hasSameName).length : -1;
      if (score > bestScore) {
        best = pairs;
        bestScore = score;
      }
    }
  }
  return best;
}

/** Possible numbers of arrays of each unit in the file: today's, and those of Keras 1. */
function countsOf(units: readonly WeightUnit[], total: number): number[][] {
  const all = [units.map(({ weights }) => weights.length), units.map(keras1Count)];
  return all.filter(
    (counts, i) => sum(counts) === total && (i === 0 || sum(all[0] as number[]) !== total),
  );
}

/** Orders in which a file may list the arrays. */
function ordersOf(units: readonly WeightUnit[], counts: readonly number[]): Slot[][] {
  const asCreated = units.flatMap((_, unit) =>
    Array.from({ length: counts[unit] ?? 0 }, (_, index) => [unit, index] as const),
  );
  const split = (isFirst: (slot: Slot) => boolean): Slot[] => [
    ...asCreated.filter(isFirst),
    ...asCreated.filter((slot) => !isFirst(slot)),
  ];
  const isTrainable = ([unit, index]: Slot): boolean => {
    const { trainable: flags = [] } = units[unit] ?? {};
    return flags[Math.min(index, flags.length - 1)] ?? true;
  };
  const isNotStatistic = ([unit, index]: Slot): boolean =>
    !kStatistics.has(units[unit]?.weights[index]?.name ?? '');
  return [split(isTrainable), split(isNotStatistic), asCreated];
}

function pairsInOrder(
  units: readonly WeightUnit[],
  counts: readonly number[],
  order: readonly Slot[],
  arrays: readonly NamedArray[],
  backend: string,
): Pair[] | null {
  const parts = counts.map((count) => new Array<NamedArray>(count));
  order.forEach(([unit, index], i) => {
    (parts[unit] as NamedArray[])[index] = arrays[i] as NamedArray;
  });
  const pairs = units.map((unit, i) => pairsOfUnit(unit, parts[i] as NamedArray[], backend));
  return pairs.every((unitPairs) => unitPairs !== null) ? pairs.flat() : null;
}

/** Pairs the arrays of one unit in the file's order, or by name if all names are unique. */
function pairsOfUnit(
  unit: WeightUnit,
  arrays: readonly NamedArray[],
  backend: string,
): Pair[] | null {
  const inOrder = pairIfFitting(unit, convertArrays(unit, arrays, backend));
  if (inOrder?.every(hasSameName)) return inOrder;
  const named = unit.weights.map(({ name }) => arrays.filter((array) => plainName(array) === name));
  if (named.length !== arrays.length || named.some(({ length }) => length !== 1)) return inOrder;
  return pairIfFitting(unit, convertArrays(unit, named.flat(), backend)) ?? inOrder;
}

/** Pairs arrays and weights in order; null if a shape differs. */
function pairIfFitting(unit: WeightUnit, arrays: readonly NamedArray[]): Pair[] | null {
  if (arrays.length !== unit.weights.length) return null;
  const pairs = unit.weights.map((weight, i) => ({ weight, array: arrays[i] as NamedArray }));
  const fits = ({ weight, array }: Pair): boolean => String(weight.shape) === String(array.shape);
  return pairs.every(fits) ? pairs : null;
}

/** Last part of a name without `:0` and number: kernel for `lstm/lstm_cell/kernel_1:0`. */
export function plainName({ name }: NamedArray): string {
  const [output] = splitNumber(name.slice(name.lastIndexOf('/') + 1), ':');
  return splitNumber(output, '_')[0];
}

const hasSameName = ({ weight, array }: Pair): boolean => plainName(array) === weight.name;
