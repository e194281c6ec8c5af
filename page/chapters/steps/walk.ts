// SPDX-License-Identifier: MIT
// A row as the layer reads it: in what order, what came out at each step, and what a masked step did there.
import type { Run } from './read.js';

export interface Feature {
  name: string;
  /** At each step of the row. */
  values: number[];
  bare: number[];
  /** Reads from the end of the row. */
  fromEnd: boolean;
}

export interface Layout {
  backwards: boolean;
  merge: string;
  units: number;
}

/** The outputs of one row, a line for each feature, with steps in the order of the row. */
export function featuresOf(masked: Run, bare: Run, row: number, layout: Layout): Feature[] {
  const { backwards, merge, units } = layout;
  return masked.flatMap((sequence, which) => {
    const width = sequence[row]?.[0]?.length ?? 0;
    return Array.from({ length: width }, (_, index): Feature => {
      const half = merge === 'none' ? which : merge === 'concat' ? Math.floor(index / units) : 0;
      const twoSided = merge === 'none' || merge === 'concat';
      const unit = merge === 'concat' ? index % units : index;
      const side = half === 0 ? 'forward' : 'backward';
      return {
        name: twoSided ? `${side}, unit ${unit}` : `unit ${unit}`,
        values: column(sequence, row, index, backwards),
        bare: column(bare[which] ?? [], row, index, backwards),
        fromEnd: backwards !== (half === 1),
      };
    });
  });
}

/** Outputs come in the order of reading. */
function column(sequence: number[][][], row: number, index: number, backwards: boolean): number[] {
  const values = (sequence[row] ?? []).map((step) => step[index] ?? Number.NaN);
  return backwards ? values.reverse() : values;
}

/** Steps of a row in the order in which it is read. */
export const orderOf = (steps: number, backwards: boolean): number[] =>
  Array.from({ length: steps }, (_, k) => (backwards ? steps - 1 - k : k));

export type Deed = 'held' | 'zero' | 'other';

/** What came out at a masked step: 0, what had come out before it, or something else. */
export function deedAt(features: readonly Feature[], step: number): Deed {
  if (features.every(({ values }) => values[step] === 0)) return 'zero';
  const held = features.every(({ values, fromEnd }) =>
    Object.is(values[step], values[fromEnd ? step + 1 : step - 1]),
  );
  return held ? 'held' : 'other';
}
