// SPDX-License-Identifier: MIT
// Replays the recordings of tests/fuzz/keras_*.py for single layers: constructions, calls with
// numbers and calls with symbols.
import * as mf from '../../dist/index.js';
import { camel, decode, toTensor } from './recorded_cases.js';

const isTensor = (value) => value !== null && typeof value === 'object' && 'data' in value;
const sameShape = (a, b) => a.length === b.length && a.every((dim, i) => dim === b[i]);
const flat = (x) => (x instanceof mf.Tensor ? [x] : Object.values(x).flatMap(flat));

function convert(value) {
  if (isTensor(value)) return toTensor(value);
  return Array.isArray(value) ? value.map(convert) : value;
}

const optionsOf = (call) =>
  Object.fromEntries(Object.entries(call).map(([key, value]) => [camel(key), convert(value)]));

function arrange(arg, tensors) {
  if (arg === 'single') return tensors[0];
  if (arg === 'list') return tensors;
  return Object.fromEntries(arg.map((name, i) => [camel(name), tensors[i]]));
}

const inputsOf = ({ arg, inputs, masks }) =>
  arrange(
    arg,
    inputs.map((input, i) =>
      masks[i] ? toTensor(input).withMask(toTensor(masks[i])) : toTensor(input),
    ),
  );

/**
 * Returns the first place where numbers differ by more than 1e-5 relative and 2e-6 absolute, or
 * null.
 */
function difference(actual, expected, loose = 1) {
  for (let i = 0; i < expected.length; i++) {
    const [a, b] = [actual[i], expected[i]];
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    const off = Math.abs(a - b);
    if (!(off <= 2e-6 * loose || off <= 1e-5 * loose * Math.abs(b))) {
      return `[${i}] is ${a}, not ${b}`;
    }
  }
  return null;
}

export function compare(actual, recording, title, loose) {
  const expected = decode(recording);
  if (!sameShape(actual.shape, expected.shape)) {
    return `${title} has shape [${actual.shape}], not [${expected.shape}]`;
  }
  if (actual.dtype !== expected.dtype) return `${title} is ${actual.dtype}, not ${expected.dtype}`;
  const problem = difference(actual.data(), expected.values, loose);
  return problem && `${title}: ${problem}`;
}

export function compareMask(actual, recording, title) {
  if (!actual !== !recording) return `${title} has ${actual ? 'a' : 'no'} mask`;
  if (!recording) return null;
  const expected = decode(recording);
  if (!sameShape(actual.shape, expected.shape)) {
    return `the mask of ${title} has shape [${actual.shape}], not [${expected.shape}]`;
  }
  const values = actual.data();
  const isEqual = expected.values.every((keep, i) => (keep !== 0) === (values[i] !== 0));
  return isEqual ? null : `the mask of ${title} differs`;
}

/** `makers` are the names of the layers that returned the outputs, if known. */
export function compareOutputs(outputs, expect, tolerance, makers = []) {
  if (outputs.length !== expect.outputs.length) {
    return `${outputs.length} outputs, not ${expect.outputs.length}`;
  }
  for (const [i, expected] of expect.outputs.entries()) {
    const name = makers[i] ? `output ${i} (${makers[i]})` : `output ${i}`;
    const problem = expect.random
      ? sameShape(outputs[i].shape, expected.shape)
        ? null
        : `${name} has shape [${outputs[i].shape}], not [${expected.shape}]`
      : compare(outputs[i], expected, name, tolerance);
    const mismatch = problem ?? compareMask(outputs[i].mask, expect.masks[i], name);
    if (mismatch) return mismatch;
  }
  return null;
}

function runLayer(recording) {
  const { expect } = recording;
  const layer = mf.deserializeLayer(recording.layer);
  const fails = 'error' in expect;
  if (!fails || recording.weights.length > 0) {
    const shapes = recording.inputs.map(({ shape }) => shape);
    layer.build(
      recording.build ?? (recording.arg === 'list' || shapes.length > 1 ? shapes : shapes[0]),
    );
    layer.setWeights(recording.weights.map(toTensor));
  }
  for (const call of recording.history ?? []) layer.apply(inputsOf(call), optionsOf(call.call));
  let hasWarned = false;
  const warn = console.warn;
  console.warn = () => {
    hasWarned = true;
  };
  let result;
  try {
    result = layer.apply(inputsOf(recording), optionsOf(recording.call));
  } finally {
    console.warn = warn;
  }
  if (fails) return 'should have failed';
  const problem = compareOutputs(flat(result), expect, recording.loose, recording.made_by);
  if (problem) return problem;
  if (hasWarned !== expect.warns_mask_destroyed) {
    return hasWarned ? 'warned of a dropped mask' : 'did not warn of the dropped mask';
  }
  if (!expect.weights_after) return null;
  const weightsAfter = layer.getWeights();
  if (weightsAfter.length !== expect.weights_after.length) return `${weightsAfter.length} weights`;
  for (const [i, expected] of expect.weights_after.entries()) {
    const off = compare(weightsAfter[i], expected, `weight ${i} after the call`, recording.loose);
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
  const outputs = flat(layer.apply(arrange(arg, inputs), optionsOf(call)));
  if ('error' in expect) return 'should have failed';
  // Returns whether two shapes agree; a dimension may be known on one side only.
  const fits = (actual, expected) =>
    actual.length === expected.length &&
    actual.every((dim, i) => dim === expected[i] || dim === null || expected[i] === null);
  const hasAllOutputs = outputs.length === expect.shapes.length;
  if (!hasAllOutputs || !outputs.every(({ shape }, i) => fits(shape, expect.shapes[i]))) {
    const actualShapes = JSON.stringify(outputs.map(({ shape }) => shape));
    return `${actualShapes}, not ${JSON.stringify(expect.shapes)}, for ${JSON.stringify(shapes)}`;
  }
  const masked = JSON.stringify(outputs.map(({ mask }) => Boolean(mask)));
  return masked === JSON.stringify(expect.masked) ? null : `masked: ${masked}`;
}

function runConstructor({ layer, expect }) {
  mf.deserializeLayer(layer);
  return 'error' in expect ? 'should have failed' : null;
}

const kinds = { layer: runLayer, symbolic: runSymbolic, constructor: runConstructor };

// Python errors with which Keras refuses arguments. Others, of PyTorch or Python, are accidents
// that the package need not repeat.
export const refusals = ['ValueError', 'TypeError'];

/**
 * Returns null if the package behaves as Keras, otherwise the difference. An error must be a typed
 * error of the package.
 */
export function checkRecorded(recording) {
  const { error: refusal } = recording.expect;
  try {
    const problem = mf.tidy(() => kinds[recording.kind](recording));
    return refusal && !refusals.includes(refusal) ? null : problem;
  } catch (error) {
    const isTyped = error instanceof mf.MaskflowError;
    if (isTyped && 'error' in recording.expect) return null;
    return `threw ${isTyped ? `${error.name}: ${error.message}` : error.stack}`;
  }
}
