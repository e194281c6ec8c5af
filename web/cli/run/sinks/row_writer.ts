// SPDX-License-Identifier: MIT
import { elementCount } from '../../../src/base/array.js';
import { nest } from '../../../src/base/nested.js';
import { isDigits } from '../../../src/base/numbered.js';
import type { Output } from '../../output.js';
import { numberCell } from '../../csv.js';
import { UsageError } from '../../usage.js';
import type { Entry, Fields, Predicted } from '../rows.js';

/** Turns predictions into values of JSON and rows of a table. */
export interface RowWriter {
  /** One value, or one for each step, for each row. */
  values(batch: Predicted): unknown[];
  /** Heading of the table; null for none. Called after the first batch. */
  heading(): readonly string[] | null;
  cells(batch: Predicted): string[][];
}

/** A key as a cell of CSV; quoted only if it must be. */
export function keyCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Names of the fields of the first row, which are the first columns of a table. */
export function fieldNames({ entries }: Predicted): string[] {
  return Object.keys(entries[0]?.fields ?? {});
}

export const fieldCells = (names: readonly string[], fields: Fields): string[] =>
  names.map((name) => keyCell(fields[name]));

/** The part of an output that belongs to one row, nested. */
function rowValue({ shape, data }: Output, index: number): unknown {
  const rest = shape.slice(1);
  const size = elementCount(rest);
  return nest(data.subarray(index * size, (index + 1) * size), rest);
}

/** Predictions as they are. */
export class PlainRows implements RowWriter {
  #names: string[] | undefined;
  #width = 1;

  #value(outputs: readonly Output[], { index }: Entry): unknown {
    if (index < 0) return null;
    const values = outputs.map((output) => [output.name, rowValue(output, index)] as const);
    if (!values.every(([name]) => isDigits(name))) return Object.fromEntries(values);
    const list = values.map(([, value]) => value);
    return list.length === 1 ? list[0] : list;
  }

  values({ entries, outputs }: Predicted): unknown[] {
    return entries.map((entry) => {
      const value = this.#value(outputs, entry);
      return hasFields(entry.fields) ? { ...entry.fields, output: value } : value;
    });
  }

  heading(): readonly string[] | null {
    const names = this.#names ?? [];
    if (names.length === 0) return null;
    const outputs = Array.from({ length: this.#width }, (_, i) => `output_${i + 1}`);
    return [...names, ...(this.#width === 1 ? ['output'] : outputs)];
  }

  cells(batch: Predicted): string[][] {
    const { entries, outputs } = batch;
    const [only, ...others] = outputs;
    if (others.length > 0) throw severalOutputs(outputs.length, 'csv');
    this.#names ??= fieldNames(batch);
    const names = this.#names;
    if (only) this.#width = elementCount(only.shape.slice(1));
    const width = this.#width;
    return entries.map(({ fields, index }) => {
      const cells = Array.from({ length: width }, (_, i) =>
        index < 0 ? '' : numberCell(only?.data[index * width + i] as number),
      );
      return names.length > 0 ? [...fieldCells(names, fields), ...cells] : cells;
    });
  }
}

const hasFields = (fields: Fields): boolean => {
  for (const _ in fields) return true;
  return false;
};

/** The error about a format that can contain one output only. */
export const severalOutputs = (count: number, format: string): UsageError =>
  new UsageError(
    `the model has ${count} outputs, but ${format} can contain one; use json, jsonl or npz`,
  );
