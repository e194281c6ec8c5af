// SPDX-License-Identifier: MIT
// Predictions as JSON and as rows of a table, for the writers of text.
import { elementCount } from '../../../src/base/array.js';
import { nest } from '../../../src/base/nested.js';
import { isDigits } from '../../../src/base/numbered.js';
import type { Output } from '../../output.js';
import { jsonText } from '../../print.js';
import { numberCell } from '../../csv.js';
import { UsageError } from '../../usage.js';
import {
  checkNames,
  type Fields,
  fieldJson,
  fieldNames,
  keyCell,
  valuesByName,
} from '../fields.js';
import type { Entry, Predicted } from '../rows.js';

/** Turns predictions into JSON and rows of a table. */
export interface RowWriter {
  /** The JSON of each row, or of each step of it. */
  texts(batch: Predicted): string[];
  /** Heading of the table; null for none. Called after the first batch. */
  heading(): readonly string[] | null;
  cells(batch: Predicted): string[][];
}

export const fieldCells = (names: readonly string[], fields: Fields): string[] =>
  valuesByName(names, fields).map(keyCell);

/** The members of a JSON object for the fields, each with a comma behind it. */
export const fieldMembers = (fields: Fields): string =>
  fields.map(({ name, value }) => `${JSON.stringify(name)}:${fieldJson(value)},`).join('');

/** The part of an output that belongs to one row, nested. */
function rowValue({ shape, data }: Output, index: number): unknown {
  const rest = shape.slice(1);
  const size = elementCount(rest);
  return nest(data.subarray(index * size, (index + 1) * size), rest);
}

/** Predictions as they are. */
export class PlainRows implements RowWriter {
  readonly #output: string;
  readonly #member: string;
  #names: string[] | undefined;
  #width = 1;
  /** Whether rows are objects; undefined before the first row that shows it. */
  #hasObjects: boolean | undefined;

  /** `output`: the name of the column or field of predictions. */
  constructor(output: string) {
    this.#output = output;
    this.#member = `${jsonText(output)}:`;
  }

  #value(outputs: readonly Output[], { index }: Entry): unknown {
    if (index < 0) return null;
    const values = outputs.map((output) => [output.name, rowValue(output, index)] as const);
    if (!values.every(([name]) => isDigits(name))) return Object.fromEntries(values);
    const list = values.map(([, value]) => value);
    return list.length === 1 ? list[0] : list;
  }

  texts({ entries, outputs }: Predicted): string[] {
    const shown =
      entries.find(({ fields }) => fields.length > 0) ?? entries.find(({ index }) => index >= 0);
    this.#hasObjects ??= shown && shown.fields.length > 0;
    return entries.map((entry) => {
      const { fields } = entry;
      const value = jsonText(this.#value(outputs, entry));
      if (fields.length === 0) {
        // The fields of a row that cannot be read are unknown; it is an object as the others are.
        const isObject = entry.index < 0 && this.#hasObjects;
        return isObject ? `{${this.#member}${value}}` : value;
      }
      for (const { name } of fields) if (name === this.#output) checkNames([name], [name]);
      return `{${fieldMembers(fields)}${this.#member}${value}}`;
    });
  }

  heading(): readonly string[] | null {
    const names = this.#names ?? [];
    if (names.length === 0) return null;
    const numbered = Array.from({ length: this.#width }, (_, i) => `${this.#output}_${i + 1}`);
    const outputs = this.#width === 1 ? [this.#output] : numbered;
    checkNames(names, outputs);
    return [...names, ...outputs].map(keyCell);
  }

  cells(batch: Predicted): string[][] {
    const { entries, outputs } = batch;
    const [only, ...others] = outputs;
    if (others.length > 0) throw severalOutputs(outputs.length, 'csv');
    this.#names ??= fieldNames(entries);
    const names = this.#names;
    if (only) this.#width = elementCount(only.shape.slice(1));
    const width = this.#width;
    return entries.map(({ fields, index }) => {
      const cells = names.length > 0 || fields.length > 0 ? fieldCells(names, fields) : [];
      for (let i = index * width; i < (index + 1) * width; i++) {
        cells.push(index < 0 ? '' : numberCell(only?.data[i] as number));
      }
      return cells;
    });
  }
}

/** The error about a format that can contain one output only. */
export const severalOutputs = (count: number, format: string): UsageError =>
  new UsageError(
    `the model has ${count} outputs, but ${format} can contain one; use json, jsonl or npz`,
  );
