// SPDX-License-Identifier: MIT
// Compares the results computed here with those of Keras for the examples, which
// tests/fixtures/page/record_flow.py recorded from the same programs. Masks are rows of T and F;
// long arrays are sampled evenly.
import recorded from '../../../tests/fixtures/page/flow.json';
import type { Batch } from '../../shared/batch.js';
import type { Data } from './inputs.js';
import type { FlowData } from './read.js';
import type { Mask } from './stage.js';

export interface Recorded {
  shape: number[];
  mask: string[] | null;
  values?: number[];
}

export interface RecordedModel {
  /** Error of Keras. */
  error?: string;
  /** Output of each line of the model. */
  edges?: Recorded[];
  results: { [title: string]: Recorded };
}

export interface Fixture {
  versions: { [rules: string]: string };
  /** The statement of the programs that defines the words of chapter 2. */
  words: string;
  /** Models by mask rules and key. The later rules only have models that differ. */
  models: { [rules: string]: { [key: string]: RecordedModel } };
}

const fixture = recorded as unknown as Fixture;

export interface Comparison {
  version: string;
  /** Number of compared masks and shapes. */
  compared: number;
  /** Names of the masks and shapes that differ. */
  different: string[];
  /** Number of compared values. */
  numbers: number;
  /** Largest difference of the values. */
  gap: number;
}

/**
 * Whether Keras ran with exactly this data. The words of chapter 2 were recorded for one batch; the
 * visitor can type others.
 */
export const isRecorded = (data: Data, batch: Batch): boolean =>
  !data.usesBatch || data.py(data.steps(batch), batch) === fixture.words;

/** Returns at most 32 values, sampled evenly, as in the recording. */
export const kept = (values: readonly number[]): number[] => {
  const stride = Math.max(1, Math.ceil(values.length / 32));
  return values.filter((_, i) => i % stride === 0);
};

const rowsOf = (mask: Mask): string[] | null =>
  mask?.map((row) => row.map((keep) => (keep ? 'T' : 'F')).join('')) ?? null;

/** Compares data with the recording of `key`, see state.ts; undefined without a recording. */
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
