// SPDX-License-Identifier: MIT
import type { Reader } from '../../engine/worker.js';

export interface Line {
  name: string;
  /** How many numbers the answer has, and how many of its masks' places differ. */
  size: number;
  /** Where the two are farthest apart, or the first number. */
  keras: number;
  here: number;
  gap: number;
}

export interface TruthData {
  lines: Line[];
  /** What computing all of them took, in milliseconds. */
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
      throw advice('The figure draws `rows`: { name, keras, here }, the numbers of both.');
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

function advice(message: string): Error {
  const error = new Error(message);
  error.name = 'Advice';
  return error;
}

function lineOf({ name, keras, here }: Row): Line {
  const [wanted, got] = [numbersOf(keras), numbersOf(here)];
  if (wanted.length !== got.length)
    throw advice(
      `Of ${String(name)} Keras recorded ${wanted.length} numbers, and here are ${got.length}.`,
    );
  const gaps = wanted.map((value, index) => distance(value, got[index] ?? Number.NaN));
  const gap = gaps.reduce((most, each) => (each > most || Number.isNaN(each) ? each : most), 0);
  const worst = Math.max(0, gaps.indexOf(gap));
  return {
    name: String(name),
    size: wanted.length,
    keras: wanted[worst] ?? Number.NaN,
    here: got[worst] ?? Number.NaN,
    gap,
  };
}

/** A nested array or typed one as numbers of 32 bits, as both sides have them. */
function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [Math.fround(value)];
  if (typeof value === 'boolean') return [Number(value)];
  if (ArrayBuffer.isView(value)) return Array.from(value as Float32Array, Math.fround);
  return Array.isArray(value) ? value.flatMap(numbersOf) : [];
}

const distance = (a: number, b: number): number => (Object.is(a, b) ? 0 : Math.abs(a - b));
