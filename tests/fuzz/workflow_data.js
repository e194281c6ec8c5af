// SPDX-License-Identifier: MIT
// The data of workflows by the formulas of keras_workflow_data.py.
import * as mf from '../../dist/train.js';

const product = (shape) => shape.reduce((a, b) => a * b, 1);
const list = (length, valueAt) => Array.from({ length }, (_, i) => valueAt(i));

const mixed = (n, seed) =>
  (n * 7919 + seed * 104729 + ((n * n) % 97) * 31 + Math.floor(n / 7) * 53) % 1009;

/** Returns a function that tells whether a mask keeps a timestep of a row. */
function keeps([, time], seed, padding) {
  const length = (row) => 1 + (mixed(row, seed + 3) % time);
  return {
    post: (row, t) => t < length(row),
    pre: (row, t) => t >= time - length(row),
    holes: (row, t) => mixed(row * time + t, seed + 5) % 10 < 6 || t === mixed(row, seed) % time,
    none: () => true,
  }[padding];
}

const floatAt = (i, seed) => (mixed(i, seed) - 504) / 400;
const floats = (values, shape) => mf.tensor(Float32Array.from(values), { shape });
const integers = (values, shape) => mf.tensor(Int32Array.from(values), { shape, dtype: 'int32' });

function maskedData({ kind, shape, seed, limit, padding }) {
  const [, time, features = 1] = shape;
  const keep = keeps(shape, seed, padding);
  const isKept = (i) => {
    const step = Math.floor(i / features);
    return keep(Math.floor(step / time), step % time);
  };
  const size = product(shape);
  if (kind === 'mask') {
    const values = list(size, (i) => Number(isKept(i)));
    return mf.tensor(Uint8Array.from(values), { shape, dtype: 'bool' });
  }
  if (kind === 'sequence') {
    return floats(
      list(size, (i) => (isKept(i) ? floatAt(i, seed) : 0)),
      shape,
    );
  }
  const id = (i) => (isKept(i) ? 1 + (mixed(i, seed) % (limit - 1)) : 0);
  return integers(list(size, id), shape);
}

/** Returns the tensor of a description { kind, shape, seed, limit, padding }. */
export function dataOf(description) {
  const { kind, shape, seed, limit } = description;
  if (kind === 'ids' || kind === 'sequence' || kind === 'mask') return maskedData(description);
  const size = product(shape);
  if (kind === 'classes') {
    return integers(
      list(size, (i) => mixed(i, seed) % limit),
      shape,
    );
  }
  if (kind === 'one-hot') {
    const at = (i) => Number(mixed(Math.floor(i / limit), seed) % limit === i % limit);
    return floats(list(size * limit, at), [...shape, limit]);
  }
  const at = kind === 'weights' ? (i) => (mixed(i, seed) % 10) / 4 : (i) => floatAt(i, seed);
  return floats(list(size, at), shape);
}

export const isDescription = (value) =>
  value !== null && typeof value === 'object' && 'kind' in value && 'shape' in value;

/** Returns the values with which a weight begins. */
function startOf({ name, shape }, index, seed) {
  const at = (i) => {
    const value = (mixed(i + 131 * index, seed) - 504) / 900;
    if (name === 'gamma') return 1 + value / 4;
    return name === 'moving_variance' ? 1 + Math.abs(value) : value;
  };
  return floats(list(product(shape), at), shape);
}

export const startValues = (holder, seed) =>
  holder.weights.map((weight, i) => startOf(weight, i, seed));

/** Returns the names and shapes of weights as Keras records them. */
export const shapesOf = (holder) => holder.weights.map(({ name, shape }) => [name, shape]);
