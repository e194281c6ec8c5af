// SPDX-License-Identifier: MIT
// Inputs, targets and weights as they are given, and batches of them.
import { isPlain } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import type { LayerInputs } from '../layers/args.js';
import { slice } from '../ops/ops.gen.js';
import { asTensor, isTensor, type Tensor, type TensorLike } from '../tensor/tensor.js';

export type Values = { [key: string]: Tensor };

/** One tensor, a list or a dictionary of them: keys are places, or names. */
export interface Given {
  readonly values: Values;
  readonly form: 'one' | 'list' | 'dictionary';
}

/** Rows of inputs, targets and weights. */
export interface Batch {
  readonly x: Given;
  readonly y: Given;
  readonly weights: Given;
}

/** What was given as tensors; only what holds nothing but tensors is several. */
export function given(value: unknown): Given {
  const form = Array.isArray(value) ? 'list' : 'dictionary';
  if (value === undefined || value === null) return { values: {}, form };
  const several = form === 'list' || isPlain(value);
  if (!several || !Object.values(value).every(isTensor)) {
    return { values: { 0: asTensor(value as TensorLike) }, form: 'one' };
  }
  const tensors = Object.entries(value).map(([key, x]) => [key, asTensor(x)]);
  return { values: Object.fromEntries(tensors), form };
}

/** The tensors of outputs. */
export const dictionary = (made: unknown): Values => given(made).values;

/** As a model takes it. */
export function inputsOf({ values, form }: Given): LayerInputs {
  if (form === 'dictionary') return values;
  return form === 'list' ? Object.values(values) : (values['0'] as Tensor);
}

const each = (from: Given, f: (tensor: Tensor) => Tensor): Given => ({
  ...from,
  values: Object.fromEntries(Object.entries(from.values).map(([key, value]) => [key, f(value)])),
});

/** What `f` makes of a tensor, and of its mask if that has rows of its own. */
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

/** Inputs, targets and weights of many rows. */
export class Data implements Batch {
  readonly rows: number;

  constructor(
    readonly x: Given,
    readonly y: Given,
    readonly weights: Given,
  ) {
    this.rows = checkRows(this);
  }

  map(f: (tensor: Tensor) => Tensor): Data {
    return new Data(each(this.x, f), each(this.y, f), each(this.weights, f));
  }

  /** `count` rows from `first` on. */
  part(first: number, count: number): Data {
    return this.map((x) => rowsFrom(x, first, count));
  }
}

function checkRows({ x, y, weights }: Batch): number {
  const wanted = Object.values(x.values)[0]?.shape[0] ?? 0;
  for (const [what, { values }] of Object.entries({ x, y, sampleWeight: weights })) {
    for (const { shape } of Object.values(values)) {
      if (shape[0] !== wanted) {
        throw new ShapeError(
          `x has ${wanted} rows but ${what} has ${shape[0]}; both need the same`,
        );
      }
    }
  }
  return wanted;
}
