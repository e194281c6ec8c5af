// SPDX-License-Identifier: MIT
// Runs what tests/fuzz/keras_*.py recorded of single layers: constructions, calls with numbers and calls with symbols.
import * as mf from '../../dist/index.js';
import { decode, toTensor } from './golden.js';

const camel = (name) => name.replace(/_([a-z])/g, (_, c) => c.toUpperCase());
const isTensor = (value) => value !== null && typeof value === 'object' && 'data' in value;
const sameShape = (a, b) => a.length === b.length && a.every((dim, i) => dim === b[i]);
const flat = (x) => (x instanceof mf.Tensor ? [x] : Object.values(x).flatMap(flat));

function convert(value) {
  if (isTensor(value)) return toTensor(value);
  return Array.isArray(value) ? value.map(convert) : value;
}

const optionsOf = (call) =>
  Object.fromEntries(Object.entries(call).map(([key, value]) => [camel(key), convert(value)]));

function arranged(arg, tensors) {
  if (arg === 'single') return tensors[0];
  if (arg === 'list') return tensors;
  return Object.fromEntries(arg.map((name, i) => [camel(name), tensors[i]]));
}

const inputsOf = ({ arg, inputs, masks }) =>
  arranged(
    arg,
    inputs.map((input, i) =>
      masks[i] ? toTensor(input).withMask(toTensor(masks[i])) : toTensor(input),
    ),
  );

/** Where numbers differ by more than 1e-5 relative and 2e-6 absolute, or null. */
function difference(got, wanted, loose = 1) {
  for (let i = 0; i < wanted.length; i++) {
    const [a, b] = [got[i], wanted[i]];
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    const off = Math.abs(a - b);
    if (!(off <= 2e-6 * loose || off <= 1e-5 * loose * Math.abs(b))) {
      return `[${i}] is ${a}, not ${b}`;
    }
  }
  return null;
}

function compare(got, recorded, what, loose) {
  const wanted = decode(recorded);
  if (!sameShape(got.shape, wanted.shape)) {
    return `${what} has shape [${got.shape}], not [${wanted.shape}]`;
  }
  if (got.dtype !== wanted.dtype) return `${what} is ${got.dtype}, not ${wanted.dtype}`;
  const problem = difference(got.data(), wanted.values, loose);
  return problem && `${what}: ${problem}`;
}

function compareMask(got, recorded, what) {
  if (!got !== !recorded) return `${what} has ${got ? 'a' : 'no'} mask`;
  if (!recorded) return null;
  const wanted = decode(recorded);
  if (!sameShape(got.shape, wanted.shape)) {
    return `the mask of ${what} has shape [${got.shape}], not [${wanted.shape}]`;
  }
  const values = got.data();
  const same = wanted.values.every((keep, i) => (keep !== 0) === (values[i] !== 0));
  return same ? null : `the mask of ${what} differs`;
}

function compareOutputs(outputs, expect, tolerance) {
  if (outputs.length !== expect.outputs.length) {
    return `${outputs.length} outputs, not ${expect.outputs.length}`;
  }
  for (const [i, wanted] of expect.outputs.entries()) {
    const name = `output ${i}`;
    const problem = expect.random
      ? sameShape(outputs[i].shape, wanted.shape)
        ? null
        : `${name} has shape [${outputs[i].shape}], not [${wanted.shape}]`
      : compare(outputs[i], wanted, name, tolerance);
    const found = problem ?? compareMask(outputs[i].mask, expect.masks[i], name);
    if (found) return found;
  }
  return null;
}

function runLayer(recorded) {
  const { expect } = recorded;
  const layer = mf.deserializeLayer(recorded.layer);
  const fails = 'error' in expect;
  if (!fails || recorded.weights.length > 0) {
    const shapes = recorded.inputs.map(({ shape }) => shape);
    layer.build(
      recorded.build ?? (recorded.arg === 'list' || shapes.length > 1 ? shapes : shapes[0]),
    );
    layer.setWeights(recorded.weights.map(toTensor));
  }
  for (const call of recorded.history ?? []) layer.apply(inputsOf(call), optionsOf(call.call));
  let warned = false;
  const warn = console.warn;
  console.warn = () => {
    warned = true;
  };
  let result;
  try {
    result = layer.apply(inputsOf(recorded), optionsOf(recorded.call));
  } finally {
    console.warn = warn;
  }
  if (fails) return 'should have failed';
  const problem = compareOutputs(flat(result), expect, recorded.loose);
  if (problem) return problem;
  if (warned !== expect.warns_mask_destroyed) {
    return warned ? 'warned of a dropped mask' : 'did not warn of the dropped mask';
  }
  if (!expect.weights_after) return null;
  const after = layer.getWeights();
  if (after.length !== expect.weights_after.length) return `${after.length} weights`;
  for (const [i, wanted] of expect.weights_after.entries()) {
    const off = compare(after[i], wanted, `weight ${i} after the call`, recorded.loose);
    if (off) return off;
  }
  return null;
}

function runSymbolic({ layer: config, arg, shapes, dtypes, call, expect, build }) {
  const inputs = shapes.map(([batchSize, ...shape], i) =>
    mf.Input({ shape, batchSize, dtype: dtypes[i] }),
  );
  const layer = mf.deserializeLayer(config);
  if (build) layer.build(build);
  const outputs = flat(layer.apply(arranged(arg, inputs), optionsOf(call)));
  if ('error' in expect) return 'should have failed';
  // One side may know a dimension that the other leaves open.
  const fits = (got, wanted) =>
    got.length === wanted.length &&
    got.every((dim, i) => dim === wanted[i] || dim === null || wanted[i] === null);
  const same = outputs.length === expect.shapes.length;
  if (!same || !outputs.every(({ shape }, i) => fits(shape, expect.shapes[i]))) {
    const got = JSON.stringify(outputs.map(({ shape }) => shape));
    return `${got}, not ${JSON.stringify(expect.shapes)}, for ${JSON.stringify(shapes)}`;
  }
  const masked = JSON.stringify(outputs.map(({ mask }) => Boolean(mask)));
  return masked === JSON.stringify(expect.masked) ? null : `masked: ${masked}`;
}

function runConstructor({ layer, expect }) {
  mf.deserializeLayer(layer);
  return 'error' in expect ? 'should have failed' : null;
}

const kinds = { layer: runLayer, symbolic: runSymbolic, constructor: runConstructor };

// Keras refuses with these; what else is thrown there (by PyTorch, by Python) is an accident that need not happen here.
const refusals = ['ValueError', 'TypeError'];

/** Null when the package does as Keras did, else what differs. An error must be one of the package. */
export function checkRecorded(recorded) {
  const { error: refused } = recorded.expect;
  try {
    const problem = mf.tidy(() => kinds[recorded.kind](recorded));
    return refused && !refusals.includes(refused) ? null : problem;
  } catch (error) {
    const ours = error instanceof mf.MaskflowError;
    if (ours && 'error' in recorded.expect) return null;
    return `threw ${ours ? `${error.name}: ${error.message}` : error.stack}`;
  }
}
