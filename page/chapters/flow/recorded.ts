// SPDX-License-Identifier: MIT
// What Keras gave for the examples, recorded by tests/fixtures/page/record_flow.py from the
// programs on view, beside what is computed here. Masks are rows of T and F; of long arrays every
// so manieth number is kept.
import recorded from '../../../tests/fixtures/page/flow.json';
import type { FlowData } from './read.js';
import type { Mask } from './stage.js';

export interface Recorded {
  shape: number[];
  mask: string[] | null;
  values?: number[];
}

export interface RecordedModel {
  /** Keras refused. */
  error?: string;
  /** Behind each line of the model. */
  edges?: Recorded[];
  results: { [title: string]: Recorded };
}

export interface Fixture {
  versions: { [rules: string]: string };
  /** Under the later rule only what differs. */
  models: { [rules: string]: { [key: string]: RecordedModel } };
}

const fixture = recorded as unknown as Fixture;

export interface Comparison {
  version: string;
  /** How many masks and shapes were compared, and which differ. */
  compared: number;
  different: string[];
  numbers: number;
  /** The largest difference of them. */
  gap: number;
}

/** The numbers that were kept of so many: at most 32, evenly. */
export const kept = (values: readonly number[]): number[] => {
  const stride = Math.max(1, Math.ceil(values.length / 32));
  return values.filter((_, i) => i % stride === 0);
};

const rowsOf = (mask: Mask): string[] | null =>
  mask?.map((row) => row.map((keep) => (keep ? 'T' : 'F')).join('')) ?? null;

/** Undefined where nothing was recorded of this. `key`: see state.ts. */
export function compareWith(data: FlowData, rules: string, key: string): Comparison | undefined {
  const known = fixture.models[rules]?.[key] ?? fixture.models['keras-3.15']?.[key];
  if (!known || known.error !== undefined) return undefined;
  const comparison: Comparison = {
    version: fixture.versions[rules] ?? '',
    compared: 0,
    different: [],
    numbers: 0,
    gap: 0,
  };
  data.edges?.forEach(({ mask, shape }, at) => {
    compareOne(comparison, `layer ${at + 1}`, known.edges?.[at], { mask, shape });
  });
  const shown = data.output ? [data.output] : data.results;
  for (const { title, mask, shape, values } of shown) {
    const theirs = known.results[title];
    compareOne(comparison, title, theirs, { mask, shape });
    const ours = kept(values);
    theirs?.values?.forEach((value, i) => {
      comparison.numbers++;
      const mine = ours[i] ?? Number.NaN;
      const same = Number.isNaN(value) || value === null ? Number.isNaN(mine) : false;
      if (!same) comparison.gap = Math.max(comparison.gap, Math.abs(mine - value));
      if (!same && Number.isNaN(mine)) comparison.gap = Number.POSITIVE_INFINITY;
    });
  }
  return comparison;
}

function compareOne(
  comparison: Comparison,
  what: string,
  theirs: Recorded | undefined,
  ours: { mask: Mask; shape: number[] },
): void {
  comparison.compared++;
  const same =
    theirs !== undefined &&
    theirs.shape.join() === ours.shape.join() &&
    JSON.stringify(theirs.mask) === JSON.stringify(rowsOf(ours.mask));
  if (!same) comparison.different.push(what);
}
