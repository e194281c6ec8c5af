// SPDX-License-Identifier: MIT
// Files with a row on each line: JSON lines, and texts.
import { FormatError } from '../../src/base/errors.js';
import { isRecord } from '../../src/base/json.js';
import { parseJson } from '../../src/formats/json_text.js';
import { Budget } from '../../src/formats/open/budget.js';
import { unknownColumn } from './columns.js';
import type { RowInputs } from './model_input.js';
import type { ColumnOptions } from './options.js';
import { JsonText } from './fields.js';
import { membersOf } from './json_members.js';
import { textOf } from './text_of.js';
import {
  type BadRow,
  type Fields,
  noFields,
  placeOf,
  type Row,
  type RowSource,
  type Start,
} from './rows.js';

/** Longest line of text. */
const kLongestLine = 2 ** 28;

/** The lines of a file, in blocks. A line feed at the end of the file does not begin a line. */
async function* linesOf(
  source: AsyncIterable<Uint8Array>,
  what: string,
  encoding: string,
  start?: Start,
): AsyncGenerator<string[]> {
  let pieces: string[] = [];
  let length = 0;
  let count = start?.row ?? 0;
  for await (const text of textOf(source, what, encoding, start)) {
    const end = text.lastIndexOf('\n');
    pieces.push(end < 0 ? text : text.slice(0, end));
    length += text.length;
    if (length > kLongestLine && end < 0) {
      throw new FormatError(
        `line ${count + 1} of ${what} is longer than ${kLongestLine} characters; is it JSON on one line?`,
      );
    }
    if (end < 0) continue;
    const lines = pieces.join('').split('\n');
    count += lines.length;
    pieces = [text.slice(end + 1)];
    length = 0;
    yield lines.map(withoutReturn);
  }
  const rest = pieces.join('');
  if (rest !== '') yield rest.split('\n').map(withoutReturn);
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** The rows of a file whose lines `read` turns into rows. */
function rowsOf(
  source: AsyncIterable<Uint8Array>,
  file: { what: string; unit: string },
  encoding: string,
  read: (line: string, number: number) => Row | BadRow | null,
): RowSource {
  async function* part(
    bytes: AsyncIterable<Uint8Array>,
    start?: Start,
  ): AsyncGenerator<(Row | BadRow)[]> {
    let number = start?.row ?? 0;
    for await (const lines of linesOf(bytes, file.what, encoding, start)) {
      const rows: (Row | BadRow)[] = [];
      for (const line of lines) {
        const row = read(line, ++number);
        if (row) rows.push(row);
      }
      yield rows;
    }
  }
  return { ...file, blocks: part(source), part };
}

/** Each line is a row with one text, as in Keras; empty lines in between are rows, too. */
export function textRows(
  source: AsyncIterable<Uint8Array>,
  what: string,
  encoding: string,
): RowSource {
  const read = (line: string, number: number): Row => ({
    number,
    values: [[line]],
    fields: noFields,
  });
  return rowsOf(source, { what, unit: 'row' }, encoding, read);
}

/** The object of a line. */
type Members = { readonly [name: string]: unknown };

/** Where the values of the inputs are in the object of a line. */
class FieldReader {
  readonly #what: string;
  readonly #model: RowInputs;
  readonly #options: ColumnOptions;
  /** The fields of a line that cannot be read. */
  readonly #noFields: Fields;

  constructor(what: string, model: RowInputs, options: ColumnOptions) {
    this.#what = what;
    this.#model = model;
    this.#options = options;
    this.#noFields = [...new Set(options.ids ?? [])].map((name) => ({ name, value: null }));
  }

  read(line: string, number: number): Row | BadRow | null {
    if (line.trim() === '') return null;
    const place = `line ${number} of ${this.#what}`;
    let fields = this.#noFields;
    try {
      const value = parseLine(line, place);
      checkDepth(value, place);
      if (!isRecord(value)) return { number, values: [this.#only(value, place)], fields: noFields };
      const names = this.#names(value, place);
      fields = this.#fields(line, value, names.flat());
      const read = (name: string, i: number): unknown => {
        const item = this.#field(value, name, place);
        if (!this.#model.inputs[i]?.isText) this.#checkNumbers(item, name, { number, fields });
        return item;
      };
      const values = names.map((name, i) =>
        typeof name === 'string' ? read(name, i) : name.map((each) => read(each, i)),
      );
      return { number, values, fields };
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      return { number, fields, error };
    }
  }

  #only(value: unknown, place: string): unknown {
    const { inputs } = this.#model;
    const { columns, ids } = this.#options;
    if (inputs.length === 1 && !columns && !ids) return value;
    const names = columns ?? ids ?? inputs.map(({ name }) => name);
    throw new FormatError(`${place} must be an object with the fields ${names.join(', ')}`);
  }

  /** For each input, the name of its field; several names make up one row of numbers. */
  #names(value: Members, place: string): (string | readonly string[])[] {
    const { inputs } = this.#model;
    const { columns, ids } = this.#options;
    if (columns) {
      if (columns.length === inputs.length) return [...columns];
      if (inputs.length === 1) return [columns];
      throw new FormatError(
        `the model has ${inputs.length} inputs, but --columns names ${columns.length} fields`,
      );
    }
    const names = inputs.map(({ name }) => name);
    if (inputs.length > 1 || Object.hasOwn(value, names[0] as string)) return names;
    const usual = ['input', 'inputs'].find((name) => Object.hasOwn(value, name));
    if (usual !== undefined) return [usual];
    const others = Object.keys(value).filter((name) => !ids?.includes(name));
    if (others.length === 1) return others;
    throw new FormatError(
      `${place} has the fields ${others.slice(0, 20).join(', ')}; choose the input with --columns`,
    );
  }

  #checkNumbers(value: unknown, name: string, row: { number: number; fields: Fields }): void {
    const wrong = firstWrong(value);
    if (!wrong) return;
    const place = placeOf({ unit: 'line', what: this.#what }, row, `, field '${name}'${wrong.at}`);
    const content = JSON.stringify(wrong.value)?.slice(0, 40);
    throw new FormatError(`${place} is ${content}, but must be a number`);
  }

  /** Fields that pass through: those of --id, else all that the model does not read. */
  #fields(line: string, value: Members, used: readonly string[]): Fields {
    const { ids } = this.#options;
    const isUsed = (name: string): boolean => used.includes(name);
    if (!ids && Object.keys(value).every(isUsed)) return noFields;
    const members = membersOf(line);
    if (!ids) {
      const others = [...members].filter(([name]) => !isUsed(name));
      return others.map(([name, text]) => ({ name, value: new JsonText(text) }));
    }
    return this.#noFields.map((field) => {
      const text = members.get(field.name);
      return text === undefined ? field : { name: field.name, value: new JsonText(text) };
    });
  }

  #field(value: Members, name: string, place: string): unknown {
    if (Object.hasOwn(value, name)) return value[name];
    throw unknownColumn(name, Object.keys(value), place);
  }
}

/** The first item of nested arrays that is neither a number nor a boolean, and its place. */
function firstWrong(value: unknown): { at: string; value: unknown } | null {
  if (typeof value === 'number' || typeof value === 'boolean') return null;
  if (!Array.isArray(value)) return { at: '', value };
  for (const [i, item] of value.entries()) {
    const wrong = firstWrong(item);
    if (wrong) return { at: ` at [${i}]${wrong.at.replace(' at ', '')}`, value: wrong.value };
  }
  return null;
}

/** Deepest nesting of a line; readers visit nested values by recursion. */
const kDeepest = 150;

/** Throws FormatError for a value that is nested too deeply. */
function checkDepth(value: unknown, place: string, left = kDeepest): void {
  if (typeof value !== 'object' || value === null) return;
  if (left === 0) {
    throw new FormatError(`${place} is nested more than ${kDeepest} levels deep`);
  }
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof item === 'object') checkDepth(item, place, left - 1);
  }
}

/** Parses a line; NaN and Infinity may be bare words, as Python writes them. */
function parseLine(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return parseJson(line, place, Budget.ofData());
  }
}

/** The rows of a file with JSON on each line: an array, or an object with fields. */
export function jsonRows(
  source: AsyncIterable<Uint8Array>,
  what: string,
  model: RowInputs,
  options: ColumnOptions,
): RowSource {
  const reader = new FieldReader(what, model, options);
  const read = (line: string, number: number): Row | BadRow | null => reader.read(line, number);
  return rowsOf(source, { what, unit: 'line' }, options.encoding, read);
}
