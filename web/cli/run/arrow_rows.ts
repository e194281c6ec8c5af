// SPDX-License-Identifier: MIT
// The reader of Arrow files and streams, row by row, for open_rows.ts.
import type * as Arrow from 'apache-arrow';
import { FormatError } from '../../src/base/errors.js';
import { arrowLibrary } from './arrow_library.js';
import { decimalReader, exactReader, hasDecimals } from './arrow_values.js';
import type { ByteSource } from './byte_source.js';
import { findColumns, keyColumns } from './columns.js';
import type { RowInput, RowInputs } from './model_input.js';
import type { ColumnOptions } from './options.js';
import { type BadRow, noFields, placeOf, type Row, type RowSource } from './rows.js';

/**
 * Returns the source for the library. A file is read by the list of batches at its end, and a
 * stream batch by batch. A file in a pipe is read as a whole first, because its list comes last.
 */
async function openArrow(source: ByteSource): Promise<unknown> {
  const head = await source.peek((bytes) => bytes.length > 0);
  if (head[0] !== kFileLetter) return source;
  return source.size === null ? source.all() : source.handle();
}

/** The first letter of ARROW1, with which files begin. */
const kFileLetter = 0x41;

/** For each input, the indices of its columns; and those of the columns that pass through. */
interface Selection {
  inputs: readonly (readonly number[])[];
  ids: readonly number[];
}

/** The rows of an Arrow file or stream. `types` receives the types of the fields. */
export async function arrowRows(
  source: ByteSource,
  what: string,
  model: RowInputs,
  options: ColumnOptions,
  types: Map<string, unknown>,
): Promise<RowSource> {
  const arrow = await arrowLibrary();
  const data = await openArrow(source);
  return { what, unit: 'row', blocks: blocksOf(arrow, data, what, model, options, types) };
}

async function* blocksOf(
  arrow: typeof Arrow,
  data: unknown,
  what: string,
  model: RowInputs,
  options: ColumnOptions,
  types: Map<string, unknown>,
): AsyncGenerator<(Row | BadRow)[]> {
  let first = 1;
  let selection: Selection | undefined;
  try {
    const reader = await arrow.RecordBatchReader.from(data as Uint8Array);
    for await (const batch of reader as unknown as AsyncIterable<Arrow.RecordBatch>) {
      const { fields } = batch.schema;
      selection ??= select(
        fields.map(({ name }) => name),
        what,
        model,
        options,
      );
      for (const id of selection.ids) types.set(fields[id]?.name ?? '', fields[id]?.type);
      yield* rowsOf(arrow, batch, selection, first, what, model);
      first += batch.numRows;
    }
  } catch (error) {
    if (error instanceof FormatError || !isArrowError(error)) throw error;
    throw new FormatError(`${what} is not valid Arrow data: ${(error as Error).message}`);
  }
}

/** Errors of the library are plain ones; those of this package have a kind. */
const isArrowError = (error: unknown): boolean => !('kind' in (error as object));

function select(
  names: readonly string[],
  what: string,
  { inputs }: RowInputs,
  { columns, ids }: ColumnOptions,
): Selection {
  const find = (wanted: readonly string[]): number[] =>
    findColumns(wanted, names, names.length, what);
  const nameOf = (index: number): string => names[index] as string;
  const idColumns = keyColumns(find(ids ?? []), nameOf, what).map(({ index }) => index);
  const [only] = inputs;
  if (columns) {
    const found = find(columns);
    const isPerInput = inputs.length > 1 && found.length === inputs.length;
    return { inputs: isPerInput ? found.map((index) => [index]) : [found], ids: idColumns };
  }
  const isNamed = inputs.every(({ name }) => names.includes(name));
  if (inputs.length > 1 || (isNamed && only?.name)) {
    return { inputs: inputs.map(({ name }) => find([name])), ids: idColumns };
  }
  const others = names.map((_, i) => i).filter((i) => !idColumns.includes(i));
  return { inputs: [others], ids: idColumns };
}

const kBlock = 1024;

/** Reads the value of a row in a column. */
type Column = (row: number) => unknown;

function valueColumn(arrow: typeof Arrow, vector: Arrow.Vector): Column {
  return decimalReader(arrow, vector) ?? ((row) => plain(vector.get(row)));
}

function fieldColumn(arrow: typeof Arrow, vector: Arrow.Vector): Column {
  return exactReader(arrow, vector) ?? ((row) => plain(vector.get(row), true));
}

/** Throws FormatError for lists of decimals, which the library returns as words of 32 bits. */
function checkType(
  arrow: typeof Arrow,
  { name, type }: { name: string; type: Arrow.DataType },
  what: string,
): void {
  if (!hasDecimals(arrow, type)) return;
  throw new FormatError(
    `column '${name}' of ${what} has decimals inside of ${type}; only columns of decimals can be read, so cast it to float64`,
  );
}

/** True for an input whose rows are lists, so that a number is a row of one feature. */
const isList = (input: RowInput | undefined): boolean => (input?.shape.length ?? 0) > 1;

function* rowsOf(
  arrow: typeof Arrow,
  batch: Arrow.RecordBatch,
  { inputs, ids }: Selection,
  first: number,
  what: string,
  model: RowInputs,
): Generator<(Row | BadRow)[]> {
  const vector = (index: number): Arrow.Vector => batch.getChildAt(index) as Arrow.Vector;
  const { fields: schema } = batch.schema;
  const names = schema.map(({ name }) => name);
  for (const index of [...inputs.flat(), ...ids]) {
    checkType(arrow, schema[index] as Arrow.Field, what);
  }
  const columns = inputs.map((indices) =>
    indices.map((index) => valueColumn(arrow, vector(index))),
  );
  const keys = ids.map((index) => ({
    name: names[index] as string,
    read: fieldColumn(arrow, vector(index)),
  }));
  const rowAt = (i: number): Row | BadRow => {
    const number = first + i;
    const fields =
      keys.length === 0 ? noFields : keys.map(({ name, read }) => ({ name, value: read(i) }));
    const values: unknown[] = [];
    for (const [k, readers] of columns.entries()) {
      const items = readers.map((read) => read(i));
      const wrong = model.inputs[k]?.isText ? -1 : items.findIndex(isWrong);
      if (wrong >= 0) {
        const name = names[inputs[k]?.[wrong] as number];
        const place = placeOf({ unit: 'row', what }, { number, fields }, `, column '${name}'`);
        const content = JSON.stringify(items[wrong])?.slice(0, 40);
        const error = new FormatError(`${place} is ${content}, but must be a number`);
        return { number, fields, error };
      }
      const isRow = items.length > 1 || (typeof items[0] !== 'object' && isList(model.inputs[k]));
      values.push(isRow ? items : items[0]);
    }
    return { number, values, fields };
  };
  for (let from = 0; from < batch.numRows; from += kBlock) {
    const count = Math.min(kBlock, batch.numRows - from);
    yield Array.from({ length: count }, (_, i) => rowAt(from + i));
  }
}

/** True for values that are not numbers, and for lists with them. */
function isWrong(value: unknown): boolean {
  if (ArrayBuffer.isView(value)) return false;
  if (Array.isArray(value)) return value.some(isWrong);
  return typeof value !== 'number' && typeof value !== 'boolean';
}

/**
 * A value without the library's classes: lists as arrays, and integers of 64 bits as numbers, or
 * as they are if they must be exact.
 */
function plain(value: unknown, isExact = false): unknown {
  if (typeof value === 'bigint') return isExact ? value : Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof BigInt64Array || value instanceof BigUint64Array) {
    return isExact ? Array.from(value) : Array.from(value, Number);
  }
  if (ArrayBuffer.isView(value) || value instanceof Date) return value;
  return Symbol.iterator in value
    ? Array.from(value as Iterable<unknown>, (item) => plain(item, isExact))
    : value;
}
