// SPDX-License-Identifier: MIT
// Key columns and other fields of a row. They pass through to the output exactly: a number of JSON
// stays the text that it is, and 64-bit integers of Arrow stay integers.
import { FormatError } from '../../src/base/errors.js';
import { UsageError } from '../usage.js';

/** A value as it stands in JSON. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A key column or another field of a row: the text of a cell, JSON, or a value of Arrow. */
export interface Field {
  readonly name: string;
  readonly value: unknown;
}

/** Fields in the order of the data, each name once. */
export type Fields = readonly Field[];

export const noFields: Fields = Object.freeze([]);

const isSimple = (text: string): boolean => !/^[{[n]/.test(text);

/** True for a text, a number or a boolean. */
export const isPlainField = (value: unknown): boolean =>
  value instanceof JsonText ? isSimple(value.text) : typeof value !== 'object';

/** A value of Arrow as JSON; integers of 64 bits keep all digits. */
function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (value instanceof BigInt64Array || value instanceof BigUint64Array) {
    return `[${value.join(',')}]`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** A field as JSON. */
export const fieldJson = (value: unknown): string =>
  value instanceof JsonText ? value.text : jsonOf(value);

/** A field as the text of a cell; empty for null. */
export function fieldText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (!(value instanceof JsonText))
    return typeof value === 'object' ? jsonOf(value) : String(value);
  const { text } = value;
  if (text.startsWith('"')) return JSON.parse(text) as string;
  return text === 'null' ? '' : text;
}

/** A field as a cell of CSV; quoted only if it must be. */
export function keyCell(value: unknown): string {
  const text = fieldText(value);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Names of the fields of the first row that has some. */
export const fieldNames = (entries: readonly { fields: Fields }[]): string[] =>
  (entries.find(({ fields }) => fields.length > 0)?.fields ?? []).map(({ name }) => name);

/** The values of the fields in the order of the names; undefined for those that a row lacks. */
export function valuesByName(names: readonly string[], fields: Fields): unknown[] {
  const isInOrder =
    fields.length === names.length && fields.every(({ name }, i) => name === names[i]);
  if (isInOrder) return fields.map(({ value }) => value);
  const other = fields.find(({ name }) => !names.includes(name));
  if (other) {
    throw new FormatError(
      `a row has the field '${other.name}', but the columns of the output are those of the first row (${names.join(', ') || 'none'}); choose the fields with --id, or use --format jsonl`,
    );
  }
  return names.map((name) => fields.find((field) => field.name === name)?.value);
}

/** Throws UsageError if a field has the name of a column of predictions. */
export function checkNames(names: readonly string[], reserved: readonly string[]): void {
  const name = names.find((each) => reserved.includes(each));
  if (name === undefined) return;
  const remedy = reserved.includes('label')
    ? 'leave it out with --id'
    : 'name the predictions with --output-name, or leave the field out with --id';
  throw new UsageError(
    `the field '${name}' passes through, but predictions have this name; ${remedy}`,
  );
}
