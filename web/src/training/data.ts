// SPDX-License-Identifier: MIT
// Inputs, targets and weights as they are given, and batches of them.
import { isPlain } from '../base/check.js';
import { ShapeError, ValueError } from '../base/errors.js';
import { isTypedArray } from '../base/nested.js';
import type { LayerInputs } from '../layers/args.js';
import { slice, take } from '../ops/ops.gen.js';
import { asTensor, isTensor, isWeight, type Tensor, type TensorLike } from '../tensor/tensor.js';

export type Values = { [key: string]: Tensor };

/** One tensor, a list or a dictionary of them: keys are places, or names. */
export interface Given {
  readonly values: Values;
  readonly form: 'one' | 'list' | 'dictionary';
  readonly named: boolean;
}

/** Rows of inputs, targets and weights. */
export interface Batch {
  readonly x: Given;
  readonly y: Given;
  readonly weights: Given;
}

// (A list of arrays of numbers is one tensor: what stands for several is tensors, or typed arrays.)
const standsAlone = (value: unknown): boolean =>
  isTensor(value) || isWeight(value) || isTypedArray(value);

/** `count`: how many there should be, where that is known: a list of so many arrays is then a list. */
function formOf(value: unknown, count: number): Given['form'] {
  if (standsAlone(value)) return 'one';
  if (isPlain(value)) return 'dictionary';
  if (!Array.isArray(value)) return 'one';
  if (value.length > 0 && value.every(isTensor)) return 'list';
  return count > 1 && value.length === count && value.every((item) => typeof item === 'object')
    ? 'list'
    : 'one';
}

/** The tensors in what was given; those that are made are given to `made`. */
export function given(value: unknown, count = 1, made?: (tensor: Tensor) => void): Given {
  const take = (item: unknown): Tensor => {
    const tensor = asTensor(item as TensorLike);
    if (tensor !== item) made?.(tensor);
    return tensor;
  };
  if (value === undefined || value === null) return { values: {}, form: 'one', named: false };
  const form = formOf(value, count);
  const entries: [string, unknown][] = form === 'one' ? [['0', value]] : Object.entries(value);
  const present = entries.filter(([, item]) => item !== null && item !== undefined);
  return {
    values: Object.fromEntries(present.map(([key, item]) => [key, take(item)])),
    form,
    named: form === 'dictionary',
  };
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
function withMask(x: Tensor, f: (x: Tensor) => Tensor): Tensor {
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

  #map(f: (tensor: Tensor) => Tensor): Data {
    return new Data(each(this.x, f), each(this.y, f), each(this.weights, f));
  }

  /** `count` rows from `first` on. */
  part(first: number, count: number): Data {
    if (first === 0 && count === this.rows) return this;
    return this.#map((x) => rowsFrom(x, first, count));
  }

  /** Those rows, in that order. */
  take(indices: Int32Array): Data {
    return this.#map((x) => withMask(x, (all) => take(all, indices, { axis: 0 })));
  }
}

function checkRows({ x, y, weights }: Batch): number {
  const first = Object.values(x.values)[0];
  if (!first) throw new ValueError('there is no x');
  const wanted = first.shape[0];
  for (const [what, { values, form }] of Object.entries({ x, y, sampleWeight: weights })) {
    for (const [key, { shape }] of Object.entries(values)) {
      const name = form === 'one' ? what : `${what} '${key}'`;
      if (shape.length === 0) {
        throw new ShapeError(`${name} is a single number; data has rows, one for each sample`);
      }
      if (shape[0] !== wanted) {
        throw new ShapeError(
          `x has ${wanted} rows but ${name} has ${shape[0]}; both need the same`,
        );
      }
    }
  }
  return wanted as number;
}
