// SPDX-License-Identifier: MIT
// The data of the chapter "truth": the largest difference of each answer.
import type { Reader } from '../../engine/worker.js';
import { Advice } from '../../shared/advice.js';

export interface Line {
  name: string;
  /** Number of values of the answer. */
  size: number;
  /** Keras's value with the largest difference; the first value if all are equal. */
  keras: number;
  /** The same value as computed here. */
  here: number;
  /** The largest difference. */
  gap: number;
}

export interface TruthData {
  lines: Line[];
  /** Time in milliseconds to compute all answers. */
  took: number;
  version: string;
  variant: string;
  wasmBytes: number;
}

interface Row {
  name: string;
  keras: unknown;
  here: unknown;
}

export const truth: Reader = {
  names: ['rows', 'took'],
  read({ rows, took }, flow): TruthData {
    if (!Array.isArray(rows) || rows.length === 0)
      throw new Advice(
        'The figure draws `rows`, a list of { name, keras, here } with the numbers of both.',
      );
    const { version, variant, wasmBytes } = flow.runtimeInfo();
    return {
      lines: rows.slice(0, 500).map(lineOf),
      took: Number(took ?? Number.NaN),
      version,
      variant,
      wasmBytes,
    };
  },
};

function lineOf({ name, keras, here }: Row): Line {
  const [expected, actual] = [numbersOf(keras), numbersOf(here)];
  if (expected.length !== actual.length)
    throw new Advice(
      `Keras recorded ${expected.length} numbers of ${String(name)}; the program computed ${actual.length}.`,
    );
  const gaps = expected.map((value, index) => distance(value, actual[index] ?? Number.NaN));
  const gap = gaps.reduce((max, each) => (each > max || Number.isNaN(each) ? each : max), 0);
  const worst = Math.max(0, gaps.indexOf(gap));
  return {
    name: String(name),
    size: expected.length,
    keras: expected[worst] ?? Number.NaN,
    here: actual[worst] ?? Number.NaN,
    gap,
  };
}

/** Returns the numbers of a nested or typed array, rounded to 32 bits, as both sides are. */
function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [Math.fround(value)];
  if (typeof value === 'boolean') return [Number(value)];
  if (ArrayBuffer.isView(value)) return Array.from(value as Float32Array, Math.fround);
  return Array.isArray(value) ? value.flatMap(numbersOf) : [];
}

const distance = (a: number, b: number): number => (Object.is(a, b) ? 0 : Math.abs(a - b));
