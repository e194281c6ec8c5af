// SPDX-License-Identifier: MIT
import { ShapeError } from '../src/errors.js';
import type { PerName, PlainArray } from '../src/formats/recorded.js';
import { type DType, type Model, Tensor, tensor, tidy } from '../src/index.js';
import { numberOf, type Values } from './arguments.js';
import { fit, readData } from './data.js';
import { readBytes, titleOf, writeBytes } from './files.js';
import { openModel } from './model.js';
import { formatOf, type Output, writeOutputs } from './output.js';
import { Progress } from './progress.js';
import { UsageError } from './usage.js';

interface ModelInput {
  shape: (number | null)[];
  dtype: DType;
}

function inputsOf(model: Model): ModelInput[] {
  const symbols = model.inputs;
  const inputs = symbols.map(({ shape, dtype }) => ({ shape: [...shape], dtype }));
  for (const symbol of symbols) symbol.dispose();
  return inputs;
}

/** Names of the inputs in the order of `model.inputs`. */
function namesOf(model: Model): string[] {
  const { input_layers: ends } = model.getConfig() as { input_layers?: unknown };
  if (Array.isArray(ends)) return (Array.isArray(ends[0]) ? ends : [ends]).map(([name]) => name);
  return Object.keys((ends as object | undefined) ?? {});
}

function checkRows(arrays: readonly PlainArray[]): number {
  const rows = arrays.map(({ shape }) => shape[0]);
  const [first] = rows;
  if (first === undefined) throw new ShapeError('the data is a single number; a batch has rows');
  const other = rows.find((count) => count !== first);
  if (other === undefined) return first;
  throw new ShapeError(`the inputs have ${first} and ${other} rows; they must have equally many`);
}

/** The data with the shapes and dtypes that the model takes. */
function prepare(model: Model, data: PerName<PlainArray>): [string, PlainArray, DType][] {
  const symbols = inputsOf(model);
  const names = namesOf(model);
  return Object.entries(data).map(([name, array], i) => {
    const symbol = symbols[names.includes(name) ? names.indexOf(name) : i];
    const fitted = symbol ? fit(array, symbol.shape) : array;
    return [name, fitted, symbol?.dtype ?? 'float32'];
  });
}

function slice({ shape, data }: PlainArray, dtype: DType, from: number, to: number): Tensor {
  const [rows = 0, ...rest] = shape;
  const size = rest.reduce((product, dim) => product * dim, 1);
  const end = Math.min(to, rows);
  const items = Array.prototype.slice.call(data, from * size, end * size);
  return tensor(Float64Array.from(items), { shape: [end - from, ...rest], dtype });
}

/** Joins the batches of one output. */
function join(name: string, parts: readonly Tensor[]): Output {
  const [first] = parts as [Tensor];
  const [, ...rest] = first.shape;
  const odd = parts.find(({ shape }) => shape.slice(1).join() !== rest.join());
  if (odd) {
    throw new ShapeError(
      `batches gave outputs of shapes [${first.shape}] and [${odd.shape}]; use --batch-size 0`,
    );
  }
  const rows = parts.reduce((sum, { shape }) => sum + (shape[0] ?? 1), 0);
  const { dtype } = first;
  const data = first.data().slice(0, 0);
  const all = new (data.constructor as Float32ArrayConstructor)(
    parts.reduce((sum, { size }) => sum + size, 0),
  );
  let at = 0;
  for (const part of parts) {
    part.read((view) => all.set(view, at));
    at += part.size;
  }
  return { name, shape: [rows, ...rest], dtype, data: all };
}

function predict(model: Model, data: PerName<PlainArray>, batchSize: number): Output[] {
  const inputs = prepare(model, data);
  const rows = checkRows(inputs.map(([, array]) => array));
  const size = batchSize || Math.max(rows, 1);
  const progress = new Progress(rows);
  return tidy(() => {
    const parts = new Map<string, Tensor[]>();
    // A batch of no rows still tells the shapes.
    for (let from = 0; from < Math.max(rows, 1); from += size) {
      const batch = inputs.map(
        ([name, array, dtype]) => [name, slice(array, dtype, from, from + size)] as const,
      );
      const values = batch.map(([, value]) => value);
      const given = Array.isArray(data)
        ? values.length === 1
          ? (values[0] as Tensor)
          : values
        : Object.fromEntries(batch);
      const result = model.predict<Tensor | Tensor[]>(given, { batchSize: 0 });
      const outputs = result instanceof Tensor ? [result] : result;
      for (const [name, output] of Object.entries(outputs)) {
        const batches = parts.get(name);
        if (batches) batches.push(output);
        else parts.set(name, [output]);
      }
      for (const value of values) value.dispose();
      progress.at(Math.min(from + size, rows));
    }
    progress.end();
    return [...parts].map(([name, tensors]) => join(name, tensors));
  });
}

/** `maskflow run`: predictions for a file of data. */
export async function run(path: string, values: Values): Promise<void> {
  const { input, output = '-' } = values;
  if (input === undefined) throw new UsageError('--input says which data to run the model on');
  if (input === '-' && path === '-') {
    throw new UsageError('model and data cannot both come from standard input');
  }
  const format = formatOf(output, values.format);
  const batchSize = numberOf(values, 'batch-size', 32);
  const model = await openModel(path);
  const data = readData(readBytes(input), titleOf(input));
  writeBytes(output, writeOutputs(predict(model, data, batchSize), format));
}
