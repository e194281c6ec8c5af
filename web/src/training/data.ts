// SPDX-License-Identifier: MIT
// Inputs, targets and weights of training, and batches of them.
import { isPlain } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import { isListOf, type LayerInputs } from '../layers/args.js';
import { slice } from '../ops/ops.gen.js';
import { asTensor, isTensor, type Tensor, type TensorLike } from '../tensor/tensor.js';

/** Tensors by name or index. */
export type Values = { [key: string]: Tensor };

/** One tensor, a list or a dictionary of tensors. Keys are indices, or names. */
export interface Structure {
  readonly values: Values;
  readonly form: 'one' | 'list' | 'dictionary';
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
