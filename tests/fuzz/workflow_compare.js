// SPDX-License-Identifier: MIT
// Compares what the package computes with the results of a recorded workflow. A difference is
// thrown as a Difference.
import * as mf from '../../dist/train.js';
import { decode } from '../support/recorded_cases.js';

export class Difference extends Error {}

const numberOf = (value) =>
  typeof value === 'string'
    ? Number(value.replace('inf', 'Infinity').replace('nan', 'NaN'))
    : Number(value);

const short = (value) => (JSON.stringify(value) ?? 'undefined').slice(0, 160);

/** Requires equal values of JSON. */
export function same(got, wanted, where) {
  if (JSON.stringify(got) === JSON.stringify(wanted)) return;
  throw new Difference(`${where}: ${short(got)}, not ${short(wanted)}`);
}

/**
 * Requires numbers within a tolerance: of rounding before training, of its accumulation after it.
 */
export function near(got, wanted, where, isTrained) {
  const [relative, absolute] = isTrained ? [2e-4, 2e-5] : [1e-5, 2e-6];
  if (got.length !== wanted.length) {
    throw new Difference(`${where}: ${got.length} numbers, not ${wanted.length}`);
  }
  for (let i = 0; i < wanted.length; i++) {
    const [a, b] = [Number(got[i]), numberOf(wanted[i])];
    if (Object.is(a, b) || a === b) continue;
    const share = Math.abs(a - b) / (absolute + relative * Math.abs(b));
    if (share <= 1) continue;
    const size = share < 50 ? 'slightly off: ' : '';
    throw new Difference(`${where}: ${size}number ${i} is ${a}, not ${b}`);
  }
}

function symbolic(tensor, wanted, where) {
  const sizes = wanted.symbolic;
  const fits = sizes.every((size, i) => size === null || tensor.shape[i] === size);
  if (tensor.shape.length !== sizes.length || !fits) {
    throw new Difference(`${where}: symbolic shape [${tensor.shape}], not [${sizes}]`);
  }
  if (Boolean(tensor.mask) === wanted.mask) return;
  throw new Difference(`${where}: the symbolic tensor has ${wanted.mask ? 'no' : 'a'} mask`);
}

/** Requires a tensor with the recorded shape, numbers and mask. */
function tensor(got, wanted, where, { isTrained, shapeOnly }) {
  if (wanted === null) return;
  if (!(got instanceof mf.Tensor)) throw new Difference(`${where}: ${short(got)} is not a tensor`);
  if (wanted.symbolic) return symbolic(got, wanted, where);
  const { shape, values, dtype } = decode(wanted);
  same(got.shape, shape, `${where}: shape`);
  if (got.dtype !== dtype) throw new Difference(`${where}: ${got.dtype}, not ${dtype}`);
  if (!shapeOnly) near(got.data(), values, where, isTrained);
  if (Boolean(got.mask) !== Boolean(wanted.mask)) {
    throw new Difference(`${where}: ${got.mask ? 'a' : 'no'} mask`);
  }
  if (wanted.mask) {
    const expected = [...decode(wanted.mask).values];
    same([...got.mask.data()].map(Number), expected, `${where}: mask`);
  }
}

const isTensor = (value) => value === null || 'data' in value || 'symbolic' in value;

/** Requires a structure of tensors as recorded. */
export function structure(got, wanted, where, options) {
  if (wanted === undefined) return;
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got)) throw new Difference(`${where}: not a list of ${wanted.length}`);
    if (got.length !== wanted.length) {
      throw new Difference(`${where}: ${got.length} results, not ${wanted.length}`);
    }
    for (const [i, item] of wanted.entries()) structure(got[i], item, `${where} ${i}`, options);
  } else if (isTensor(wanted)) {
    tensor(got, wanted, where, options);
  } else {
    same(Object.keys(got).sort(), Object.keys(wanted).sort(), `${where}: names`);
    for (const [key, item] of Object.entries(wanted)) {
      structure(got[key], item, `${where} ${key}`, options);
    }
  }
}

/** Requires a list of tensors with the recorded shapes and numbers. */
export function tensors(got, wanted, where, isTrained) {
  if (got.length !== wanted.length) {
    throw new Difference(`${where}: ${got.length}, not ${wanted.length}`);
  }
  for (const [i, item] of wanted.entries()) {
    const { shape, values } = decode(item);
    same(got[i].shape, shape, `${where} ${i}: shape`);
    near(got[i].data(), values, `${where} ${i}`, isTrained);
  }
}

/** Requires logs with the recorded names and numbers. */
export function logs(got, wanted, where, isTrained) {
  same(Object.keys(got).sort(), Object.keys(wanted).sort(), `${where}: names`);
  for (const [name, value] of Object.entries(wanted)) {
    near([got[name]].flat(), [value].flat(), `${where} ${name}`, isTrained);
  }
}

/** Requires the recorded events of callbacks in their order. */
export function events(got, wanted) {
  const i = wanted.findIndex((event, k) => JSON.stringify(event) !== JSON.stringify(got[k]));
  if (i >= 0) throw new Difference(`event ${i}: ${short(got[i])}, not ${short(wanted[i])}`);
  if (got.length > wanted.length) {
    throw new Difference(`event ${wanted.length}: ${short(got[wanted.length])}, not the end`);
  }
}
