// SPDX-License-Identifier: MIT
// A row as the layer reads it: the order of steps, the output of each step and the effect of a
// masked step.
import type { Run } from './read.js';

export interface Feature {
  name: string;
  /** Outputs at each step of the row. */
  values: number[];
  /** Outputs without a mask. */
  bare: number[];
  /** Whether the layer reads from the end of the row. */
  fromEnd: boolean;
}

export interface Layout {
  backwards: boolean;
  merge: string;
  units: number;
}

/** Returns the outputs of one row for each feature, with steps in the order of the row. */
export function featuresOf(masked: Run, bare: Run, row: number, layout: Layout): Feature[] {
  const { backwards, merge, units } = layout;
  return masked.flatMap((sequence, part) => {
    const width = sequence[row]?.[0]?.length ?? 0;
    return Array.from({ length: width }, (_, index): Feature => {
      const half = merge === 'none' ? part : merge === 'concat' ? Math.floor(index / units) : 0;
      const twoSided = merge === 'none' || merge === 'concat';
      const unit = merge === 'concat' ? index % units : index;
      const side = half === 0 ? 'forward' : 'backward';
      return {
        name: twoSided ? `${side}, unit ${unit}` : `unit ${unit}`,
        values: column(sequence, row, index, backwards),
        bare: column(bare[part] ?? [], row, index, backwards),
        fromEnd: backwards !== (half === 1),
      };
    });
  });
}

/** Returns one feature of a row; the outputs of a layer are in the order of reading. */
function column(sequence: number[][][], row: number, index: number, backwards: boolean): number[] {
  const values = (sequence[row] ?? []).map((step) => step[index] ?? Number.NaN);
  return backwards ? values.reverse() : values;
}

export type Effect = 'held' | 'zero' | 'other';

/** Compares the output at a masked step with 0 and with the output before it. */
export function effectAt(features: readonly Feature[], step: number): Effect {
  if (features.every(({ values }) => values[step] === 0)) return 'zero';
  const isHeld = features.every(({ values, fromEnd }) =>
    Object.is(values[step], values[fromEnd ? step + 1 : step - 1]),
  );
  return isHeld ? 'held' : 'other';
}
