// SPDX-License-Identifier: MIT
// The inputs of a model, and data that was read as a whole in their shapes.
import { elementCount } from '../src/base/array.js';
import { FormatError, ShapeError, ValueError } from '../src/base/errors.js';
import { type PlainArray, plainArray, type RecordedArray } from '../src/formats/verify/recorded.js';
import { type DType, type LayerInputs, type Model, type Tensor, tensor } from '../src/index.js';
import { type Data, fitShape, readData } from './data.js';
import { readBytes, titleOf } from './files.js';
import { type Padding, pad } from './pad.js';
import { readTexts, type TextRows } from './texts.js';
import { UsageError } from './usage.js';

/** Shape and type of an input of a model. */
export interface ModelInput {
  shape: (number | null)[];
  dtype: DType;
}

/** One input of the model, for all rows. */
interface Column {
  name: string;
  rows: number;
  /** Rows `from` to `to` (exclusive). */
  batch(from: number, to: number): Tensor | TextRows;
}

export interface Inputs {
  columns: Column[];
  /** Whether inputs have names. */
  keyed: boolean;
  rows: number;
}

export function inputsOf(model: Model): ModelInput[] {
  const symbols = model.inputs;
  const inputs = symbols.map(({ shape, dtype }) => ({ shape: [...shape], dtype }));
  for (const symbol of symbols) symbol.dispose();
  return inputs;
}

/** Returns true if the model begins with layers that read text. */
export const readsText = (model: Model): boolean => 'textLayers' in model;

/** The input layers in the config; models that read text have no config. */
export const endsOf = (model: Model): unknown =>
  readsText(model) ? undefined : (model.getConfig() as { input_layers?: unknown }).input_layers;

/** Names of the inputs in the order of `model.inputs`. */
export function namesOf(ends: unknown): string[] {
  if (Array.isArray(ends)) return (Array.isArray(ends[0]) ? ends : [ends]).map(([name]) => name);
  return Object.keys((ends as object | undefined) ?? {});
}

function slice({ shape, data }: PlainArray, dtype: DType, from: number, to: number): Tensor {
  const [rows = 0, ...rest] = shape;
  const size = elementCount(rest);
  const end = Math.min(to, rows);
  const items = Array.prototype.slice.call(data, from * size, end * size);
  return tensor(Float64Array.from(items), { shape: [end - from, ...rest], dtype });
}

function numbers(name: string, array: PlainArray, dtype: DType): Column {
  const [rows] = array.shape;
  if (rows === undefined) throw new ShapeError('the data is a single number; a batch has rows');
  if (rows === 0 && array.shape.length === 1) throw new ShapeError('the data has no rows');
  return { name, rows, batch: (from, to) => slice(array, dtype, from, to) };
}

const isText = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isText) : typeof value === 'string';

function textColumn(name: string, rows: TextRows, what: string): Column {
  if (rows.every(isText)) {
    return { name, rows: rows.length, batch: (from, to) => rows.slice(from, to) };
  }
  const odd = rows.findIndex((row) => !isText(row));
  const isMixed = rows.some(isText);
  if (isMixed) {
    throw new ValueError(
      `row ${odd + 1} of ${what} is ${JSON.stringify(rows[odd])?.slice(0, 40)}, which is not text`,
    );
  }
  return numbers(name, plainArray(rows as RecordedArray, what), 'float32');
}

function inputsFrom(columns: Column[], keyed: boolean, what: string): Inputs {
  const [first] = columns;
  if (!first) throw new FormatError(`${what} has no inputs`);
  const { rows } = first;
  const other = columns.find((column) => column.rows !== rows);
  if (!other) return { columns, keyed, rows };
  throw new ShapeError(`the inputs have ${rows} and ${other.rows} rows; the numbers must be equal`);
}

const isPlain = (data: Data): data is PlainArray => 'data' in data;

function numberColumns(model: Model, data: [string, Data][], padding: Padding | null): Column[] {
  const inputs = inputsOf(model);
  const names = namesOf(endsOf(model));
  return data.map(([name, values], i) => {
    const input = inputs[names.includes(name) ? names.indexOf(name) : i];
    const { shape = [], dtype = 'float32' } = input ?? {};
    const array = isPlain(values) ? values : pad(values, shape, padding as Padding);
    return numbers(name, input ? fitShape(array, shape) : array, dtype);
  });
}

/** Reads the inputs of a model from a file. `padding` is null for rows of equal length. */
export const readInputs = (model: Model, path: string, padding: Padding | null): Inputs =>
  parseInputs(model, readBytes(path), path, padding);

/** Reads the inputs of a model from the bytes of the file at `path`. */
export function parseInputs(
  model: Model,
  bytes: Uint8Array,
  path: string,
  padding: Padding | null,
): Inputs {
  const what = titleOf(path);
  if (readsText(model)) {
    if (padding) throw new UsageError('--pad is for rows of numbers, but the model reads text');
    const texts = readTexts(bytes, path, what);
    const columns = Object.entries(texts).map(([name, rows]) => textColumn(name, rows, what));
    return inputsFrom(columns, !Array.isArray(texts), what);
  }
  const data = readData(bytes, what, { ragged: padding !== null });
  const columns = numberColumns(model, Object.entries(data), padding);
  return inputsFrom(columns, !Array.isArray(data), what);
}

/** Returns some rows of the inputs, for `predict`. */
export function batch({ columns, keyed }: Inputs, from: number, to: number): LayerInputs {
  const values = columns.map((column) => [column.name, column.batch(from, to)] as const);
  const inputs = keyed ? Object.fromEntries(values) : values.map(([, value]) => value);
  // The cast is needed because the type lacks the texts that some models read.
  return (!keyed && values.length === 1 ? values[0]?.[1] : inputs) as LayerInputs;
}

/** Returns all rows of the inputs. */
export const whole = (inputs: Inputs): LayerInputs => batch(inputs, 0, inputs.rows);

const kMaxGenerated = 1e8;

/** Generates different numbers near 1; ids are 1. None is 0, because zeros may be masked. */
function sample({ shape, dtype }: ModelInput, rows: number, steps: number): PlainArray {
  const sizes = [rows, ...shape.slice(1).map((dim) => dim ?? steps)];
  const size = elementCount(sizes);
  if (size > kMaxGenerated) {
    throw new UsageError(
      `an input would have ${size} generated numbers, more than ${kMaxGenerated}; use fewer --rows or --steps`,
    );
  }
  const data = Float64Array.from({ length: size }, (_, i) =>
    dtype === 'float32' ? 1 + Math.sin(i) / 2 : 1,
  );
  return { shape: sizes, dtype, data };
}

/** Generates inputs for measuring a model. */
export function sampleInputs(model: Model, rows: number, steps: number): Inputs {
  const ends = endsOf(model);
  const names = namesOf(ends);
  const columns = inputsOf(model).map((input, i) =>
    numbers(names[i] ?? String(i), sample(input, rows, steps), input.dtype),
  );
  return inputsFrom(columns, typeof ends === 'object' && !Array.isArray(ends), 'the sample');
}

/** Most ids that generated rows contain, if the model has that many. */
const kMaxIds = 1000;

/** Returns the number of ids of the smallest Embedding in a config. */
function idsOf(config: unknown): number {
  let least = kMaxIds;
  JSON.stringify(config, (_, item) => {
    if (typeof item?.input_dim === 'number') least = Math.min(least, item.input_dim);
    return item;
  });
  return least;
}

/** Generates some rows without padding: different ids, or numbers of both signs. */
export function checkInputs(model: Model): Inputs {
  if (readsText(model)) throw new UsageError('the model reads text; pass some with --input');
  const max = idsOf(model.getConfig());
  const ends = endsOf(model);
  const names = namesOf(ends);
  const columns = inputsOf(model).map(({ shape, dtype }, i) => {
    const array = sample({ shape, dtype }, 3, 6);
    const values = Array.from(array.data, (_, at) =>
      dtype === 'float32' ? Math.sin(1 + 3 * at + i) : 1 + ((7 * at + i) % Math.max(1, max - 1)),
    );
    const data = Float64Array.from(values, (value) => (dtype === 'bool' ? 1 : value));
    return numbers(names[i] ?? String(i), { ...array, data }, dtype);
  });
  return inputsFrom(columns, typeof ends === 'object' && !Array.isArray(ends), 'the sample');
}
