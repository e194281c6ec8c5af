// SPDX-License-Identifier: MIT
import { sum } from '../../base/array.js';
import type { NamedArray } from '../artifact.js';
import { withoutNumber } from '../../base/numbered.js';
import type { Pair } from './pairing.js';
import { converted, oldCount } from './stored_units.js';
import type { WeightUnit } from './weight_units.js';

/** The place of a weight: the unit, and which of its arrays in the file. */
type Slot = readonly [unit: number, index: number];

// Never trained, also where the layer is frozen as a whole and says so of all its weights.
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
 * The arrays of a file's layer for the units of a layer of the model: in Keras's order (trainable ones first; of
 * everything, where a layer is frozen), of those that fit by shape the one that fits best by name. Null when none does.
 */
export function pairUnits(
  units: readonly WeightUnit[],
  arrays: readonly NamedArray[],
  backend: string,
): Pair[] | null {
  let best: Pair[] | null = null;
  let score = -1;
  for (const counts of countsOf(units, arrays.length)) {
    for (const order of ordersOf(units, counts)) {
      const pairs = pairsInOrder(units, counts, order, arrays, backend);
      const points = pairs ? pairs.filter(sameName).length : -1;
      if (points > score) {
        best = pairs;
        score = points;
      }
    }
  }
  return best;
}

// How many arrays each unit has in the file: as many as today, or those of Keras 1.
function countsOf(units: readonly WeightUnit[], total: number): number[][] {
  const all = [units.map(({ weights }) => weights.length), units.map(oldCount)];
  return all.filter(
    (counts, i) => sum(counts) === total && (i === 0 || sum(all[0] as number[]) !== total),
  );
}

function ordersOf(units: readonly WeightUnit[], counts: readonly number[]): Slot[][] {
  const plain = units.flatMap((_, unit) =>
    Array.from({ length: counts[unit] ?? 0 }, (_, index) => [unit, index] as const),
  );
  const split = (isFirst: (slot: Slot) => boolean): Slot[] => [
    ...plain.filter(isFirst),
    ...plain.filter((slot) => !isFirst(slot)),
  ];
  const trainable = ([unit, index]: Slot): boolean => {
    const { trainable: flags = [] } = units[unit] ?? {};
    return flags[Math.min(index, flags.length - 1)] ?? true;
  };
  const trained = ([unit, index]: Slot): boolean =>
    !kStatistics.has(units[unit]?.weights[index]?.name ?? '');
  return [split(trainable), split(trained), plain];
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
  return pairs.every((found) => found !== null) ? pairs.flat() : null;
}

/** The arrays of one unit, in the file's order or, where names tell it, in that of the names. */
function pairsOfUnit(
  unit: WeightUnit,
  arrays: readonly NamedArray[],
  backend: string,
): Pair[] | null {
  const inOrder = fitting(unit, converted(unit, arrays, backend));
  if (inOrder?.every(sameName)) return inOrder;
  const named = unit.weights.map(({ name }) => arrays.filter((array) => plainName(array) === name));
  if (named.length !== arrays.length || named.some(({ length }) => length !== 1)) return inOrder;
  return fitting(unit, converted(unit, named.flat(), backend)) ?? inOrder;
}

function fitting(unit: WeightUnit, arrays: readonly NamedArray[]): Pair[] | null {
  if (arrays.length !== unit.weights.length) return null;
  const pairs = unit.weights.map((weight, i) => ({ weight, array: arrays[i] as NamedArray }));
  const fits = ({ weight, array }: Pair): boolean => String(weight.shape) === String(array.shape);
  return pairs.every(fits) ? pairs : null;
}

/** The last part of a name, without TensorFlow's `:0` and running number: kernel of `lstm/lstm_cell/kernel_1:0`. */
export function plainName({ name }: NamedArray): string {
  const [output] = withoutNumber(name.slice(name.lastIndexOf('/') + 1), ':');
  return withoutNumber(output, '_')[0];
}

const sameName = ({ weight, array }: Pair): boolean => plainName(array) === weight.name;
