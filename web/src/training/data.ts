// SPDX-License-Identifier: MIT
// Inputs, targets and weights of training, and batches of them.
import { isPlain } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import { isTypedArray } from '../base/nested.js';
import { isListOf, type LayerInputs } from '../layers/args.js';
import { slice } from '../ops/ops.gen.js';
import { asTensor, isTensor, isWeight, type Tensor, type TensorLike } from '../tensor/tensor.js';

/** Tensors by name or index. */
export type Values = { [key: string]: Tensor };

/** One tensor, a list or a dictionary of tensors. Keys are indices, or names. */
export interface Structure {
  readonly values: Values;
  readonly form: 'one' | 'list' | 'dictionary';
  /** Keys of the items that are null. */
  readonly absent?: readonly string[];
  /** One tensor of weights in it may weight the steps of several outputs. */
  readonly mayWeighSteps?: boolean;
}

/** Rows of inputs, targets and weights. */
export interface Batch {
  readonly x: Structure;
  readonly y: Structure;
  readonly weights: Structure;
}

/**
 * Converts a value to tensors. Lists and dictionaries count as several only if all items are
 * tensors, or if a list has `count` of them, the number of inputs or outputs of a model.
 */
export function structureOf(value: unknown, count = 1): Structure {
  const form = Array.isArray(value) ? 'list' : 'dictionary';
  if (value === undefined || value === null) return { values: {}, form };
  const isSeveral = form === 'list' || isPlain(value);
  if (!(isSeveral && Object.values(value).every(isTensor)) && !isListOf(value, count)) {
    return { values: { 0: asTensor(value as TensorLike) }, form: 'one' };
  }
  const tensors = Object.entries(value).map(([key, x]) => [key, asTensor(x as TensorLike)]);
  return { values: Object.fromEntries(tensors), form };
}

type OnCreate = (tensor: Tensor) => void;

const isAbsent = (item: unknown): boolean => item === null || item === undefined;

/**
 * Returns whether a list has weights for each of several outputs. As in Keras, one array for all
 * outputs has a number for each row, or a column of these.
 */
const isPerOutput = (list: readonly unknown[], count: number): boolean =>
  count > 1 &&
  list.length > 0 &&
  list.every((item) => ((item as Tensor[] | null)?.length ?? 1) !== 1);

/** A list of arrays of numbers is one tensor, unless the model needs a list of that length. */
function formOf(value: unknown, count: number, isWeights: boolean): Structure['form'] {
  if (isTensor(value) || isWeight(value) || isTypedArray(value)) return 'one';
  if (isPlain(value)) return 'dictionary';
  if (!Array.isArray(value)) return 'one';
  const hasAbsent = value.some(isAbsent);
  // Arrays of numbers contain no null, so a list with one has an item for each output.
  if (value.length > 0 && value.every((item) => isTensor(item) || isAbsent(item))) return 'list';
  const isList =
    isListOf(value, count) || (count > 1 && hasAbsent) || (isWeights && isPerOutput(value, count));
  return isList && value.every((item) => typeof item === 'object' || isAbsent(item))
    ? 'list'
    : 'one';
}

/**
 * Converts data for `count` inputs or outputs to tensors; items that are null are absent.
 * `onCreate` receives each new tensor.
 */
export function toTensors(
  value: unknown,
  what: string,
  count: number,
  onCreate?: OnCreate,
): Structure {
  const form = formOf(value, count, what === 'sampleWeight');
  if (isAbsent(value)) return { values: {}, form };
  const convert = (item: unknown): Tensor => {
    const tensor = asTensor(item as TensorLike);
    if (tensor !== item) onCreate?.(tensor);
    if (tensor.rank > 0) return tensor;
    throw new ShapeError(`${what} is a single number but must have rows, one for each sample`);
  };
  const entries: [string, unknown][] =
    form === 'one' ? [['0', value]] : Object.entries(value as object);
  const present = entries.filter(([, item]) => !isAbsent(item));
  const values = Object.fromEntries(present.map(([key, item]) => [key, convert(item)]));
  const absent = entries.filter(([, item]) => isAbsent(item)).map(([key]) => key);
  return absent.length > 0 ? { values, form, absent } : { values, form };
}

/** Returns the items of a structure in its form; null for those that are absent. */
export function itemsOf({ values, form, absent = [] }: Structure): unknown {
  const nulls = Object.fromEntries(absent.map((key) => [key, null]));
  // Keys of lists are whole numbers, which objects sort.
  const all = { ...values, ...nulls };
  if (form === 'dictionary') return all;
  return form === 'list' ? Object.values(all) : values['0'];
}

/** Returns the tensors of outputs by name or index. */
export const tensorsByKey = (outputs: unknown): Values => structureOf(outputs).values;

/** Converts a structure to inputs of a model. */
export function inputsOf({ values, form }: Structure): LayerInputs {
  if (form === 'dictionary') return values;
  return form === 'list' ? Object.values(values) : (values['0'] as Tensor);
}

const mapTensors = (from: Structure, f: (tensor: Tensor) => Tensor): Structure => ({
  ...from,
  values: Object.fromEntries(Object.entries(from.values).map(([key, value]) => [key, f(value)])),
});

/** Applies `f`, which selects rows, to a tensor and to its mask if that has the same rows. */
export function withMask(x: Tensor, f: (x: Tensor) => Tensor): Tensor {
  const { mask } = x;
  const part = f(x);
  return mask ? part.withMask(mask.shape[0] === x.shape[0] ? f(mask) : mask) : part;
}

const rowsFrom = (x: Tensor, first: number, count: number): Tensor =>
  withMask(x, (all) =>
    slice(
      all,
      all.shape.map((_, axis) => (axis === 0 ? first : 0)),
      all.shape.map((dim, axis) => (axis === 0 ? count : dim)),
    ),
  );

/** Inputs, targets and weights with the same number of rows. Throws ShapeError if these differ. */
export class Data implements Batch {
  readonly rows: number;

  constructor(
    readonly x: Structure,
    readonly y: Structure,
    readonly weights: Structure,
  ) {
    this.rows = checkRows(this);
  }

  /** Applies `f` to all tensors. */
  map(f: (tensor: Tensor) => Tensor): Data {
    return new Data(mapTensors(this.x, f), mapTensors(this.y, f), mapTensors(this.weights, f));
  }

  /** Returns `count` rows from row `first` on. */
  part(first: number, count: number): Data {
    return this.map((x) => rowsFrom(x, first, count));
  }
}

/** Returns the number of rows. */
function checkRows({ x, y, weights }: Batch): number {
  const rows = Object.values(x.values)[0]?.shape[0] ?? 0;
  for (const [what, { values }] of Object.entries({ x, y, sampleWeight: weights })) {
    for (const { shape } of Object.values(values)) {
      if (shape[0] !== rows) {
        throw new ShapeError(`x has ${rows} rows but ${what} has ${shape[0]}; both need the same`);
      }
    }
  }
  return rows;
}
