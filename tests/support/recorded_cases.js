// SPDX-License-Identifier: MIT
// Reads fixtures recorded from Keras, runs a case through the package, and compares.
import { readFileSync } from 'node:fs';
import * as mf from '../../dist/index.js';

const fixtures = new URL('../fixtures/', import.meta.url);

/** Parses a fixture. Python writes NaN and infinities as bare words, which JSON does not have. */
export function readFixture(path) {
  const text = readFileSync(new URL(path, fixtures), 'utf8');
  return JSON.parse(text.replace(/(?<=[[:,]\s*)(NaN|-?Infinity)(?=\s*[,\]}])/g, 'null'));
}

/** Converts the bits of a float16 to a number. */
function halfToNumber(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const readers = {
  float32: (buffer) => new Float32Array(buffer),
  int32: (buffer) => new Int32Array(buffer),
  bool: (buffer) => new Uint8Array(buffer),
  // Float64 results come from a second run of Keras, to judge the rounding of the first.
  float64: (buffer) => new Float64Array(buffer),
};
/** Conversions for inputs whose dtype tensors lack: [dtype of the tensor, conversion]. */
const converted = {
  float16: ['float32', (buffer) => Float32Array.from(new Uint16Array(buffer), halfToNumber)],
  int64: ['int32', (buffer) => Int32Array.from(new BigInt64Array(buffer), Number)],
  uint8: ['int32', (buffer) => Int32Array.from(new Uint8Array(buffer))],
};

export function decode({ shape, dtype: recorded, data }) {
  const [dtype, read] = converted[recorded] ?? [recorded, readers[recorded]];
  if (!read) throw new Error(`the fixture has dtype ${recorded}`);
  const copy = new Uint8Array(Buffer.from(data, 'base64')).buffer;
  return { shape, dtype, values: read(copy) };
}

export function toTensor(recording) {
  const { shape, dtype, values } = decode(recording);
  return mf.tensor(values, { shape, dtype });
}

const isTensor = (value) => value !== null && typeof value === 'object' && 'data' in value;
export const camel = (name) => name.replace(/_([a-z])/g, (_, c) => c.toUpperCase());

/** Converts recorded call arguments into options of `apply`. */
function callOptions(call, tensors) {
  const convert = (value) => {
    if (isTensor(value)) {
      const tensor = toTensor(value);
      tensors.push(tensor);
      return tensor;
    }
    return Array.isArray(value) ? value.map(convert) : value;
  };
  return Object.fromEntries(
    Object.entries(call).map(([key, value]) => [camel(key), convert(value)]),
  );
}

function inputsOf(testCase, created) {
  const tensors = testCase.inputs.map((recording, i) => {
    const unmasked = toTensor(recording);
    created.push(unmasked);
    const mask = testCase.masks[i];
    if (!mask) return unmasked;
    const m = toTensor(mask);
    const masked = unmasked.withMask(m);
    created.push(m, masked);
    return masked;
  });
  if (testCase.arg === 'single') return tensors[0];
  if (testCase.arg === 'list') return tensors;
  return Object.fromEntries(testCase.arg.map((name, i) => [camel(name), tensors[i]]));
}

/**
 * Runs one case; returns the outputs of the last call and whether a dropped mask caused a warning.
 */
export function runCase(testCase) {
  const tensors = [];
  const warnings = [];
  const warn = console.warn;
  console.warn = (message) => warnings.push(String(message));
  let layer;
  try {
    layer = mf.deserializeLayer(testCase.layer);
    const inputs = inputsOf(testCase, tensors);
    const shapes = testCase.inputs.map((input) => input.shape);
    if (!('error' in testCase.expect) || testCase.weights?.length > 0) {
      layer.build(shapes.length === 1 ? shapes[0] : shapes);
      const weights = testCase.weights.map(toTensor);
      tensors.push(...weights);
      layer.setWeights(weights);
    }
    let outputs;
    for (let call = 0; call < (testCase.repeat ?? 1); call++) {
      const result = layer.apply(inputs, callOptions(testCase.call, tensors));
      outputs = Array.isArray(result) ? result : [result];
      tensors.push(...outputs);
    }
    const weights = testCase.expect.weights_after ? layer.getWeights() : [];
    tensors.push(...weights);
    return {
      warned: warnings.length > 0,
      weights: weights.map((weight) => ({ shape: weight.shape, values: weight.data() })),
      outputs: outputs.map((output) => ({
        shape: output.shape,
        values: output.data(),
        mask: output.mask && { shape: output.mask.shape, values: output.mask.data() },
      })),
    };
  } finally {
    console.warn = warn;
    for (const tensor of tensors) tensor.dispose();
    layer?.dispose();
  }
}

/**
 * Returns the largest relative error among elements whose absolute error exceeds 1e-6. NaN and
 * infinities must be equal.
 */
export function worstError(actual, expected) {
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    const a = actual[i];
    const b = expected[i];
    if (Object.is(a, b) || a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    const absolute = Math.abs(a - b);
    if (!(absolute <= 1e-6)) {
      const relative = absolute / Math.abs(b);
      worst = Math.max(worst, Number.isFinite(relative) ? relative : Number.POSITIVE_INFINITY);
    }
  }
  return worst;
}

const sameShape = (a, b) => a.length === b.length && a.every((dim, i) => dim === b[i]);

/**
 * Keras also warns of masks that are used: GroupQueryAttention uses those that its inner layers
 * drop, a layer that uses its mask and returns no steps has none to return, and a layer inside may
 * have attached it to the result.
 */
function warnsInVain({ layer: { class_name: name }, inputs }, { outputs }) {
  if (name === 'GroupQueryAttention') return true;
  if (outputs[0].mask !== null) return true;
  if (name === 'Flatten' || name === 'GlobalMaxPooling1D') return false;
  return outputs[0].shape.length < inputs[0].shape.length;
}

/** Compares a run with the recording: returns null if equal, otherwise the difference. */
export function compareCase(testCase, run, tolerance = 1e-5) {
  const { expect } = testCase;
  if (run.outputs.length !== expect.outputs.length) {
    return {
      problem: `${run.outputs.length} outputs instead of ${expect.outputs.length}`,
      error: 0,
    };
  }
  let error = 0;
  for (const [i, recording] of expect.outputs.entries()) {
    const expected = decode(recording);
    const actual = run.outputs[i];
    if (!sameShape(actual.shape, expected.shape)) {
      return { problem: `output ${i} has shape ${actual.shape}, not ${expected.shape}`, error };
    }
    error = Math.max(error, worstError(actual.values, expected.values));
    if (error > tolerance) return { problem: `output ${i} differs by ${error}`, error };
    const mask = expect.masks[i] ?? null;
    if ((actual.mask === null) !== (mask === null)) {
      return { problem: `output ${i} has ${actual.mask ? 'a' : 'no'} mask`, error };
    }
    if (mask) {
      const m = decode(mask);
      const isEqual =
        sameShape(actual.mask.shape, m.shape) &&
        m.values.every((keep, k) => (keep !== 0) === (actual.mask.values[k] !== 0));
      if (!isEqual) return { problem: `the mask of output ${i} differs`, error };
    }
  }
  const mayBeSilent = !run.warned && warnsInVain(testCase, run);
  if (run.warned !== expect.warns_mask_destroyed && !mayBeSilent) {
    return {
      problem: run.warned ? 'warned of a dropped mask' : 'did not warn of the dropped mask',
      error,
    };
  }
  // Cases whose call changes weights contain the weights after it.
  for (const [i, recording] of (expect.weights_after ?? []).entries()) {
    const expected = decode(recording);
    const actual = run.weights[i];
    if (!actual || !sameShape(actual.shape, expected.shape)) {
      return { problem: `weight ${i} has shape ${actual?.shape}, not ${expected.shape}`, error };
    }
    error = Math.max(error, worstError(actual.values, expected.values));
    if (error > tolerance) return { problem: `weight ${i} after the call differs`, error };
  }
  return { problem: null, error };
}

/** Returns the expectation under Keras 3.16's rule, from the overlay. */
export function withOverlay(testCase, overlay) {
  const changes = overlay[testCase.name];
  if (!changes) return testCase;
  const masks = changes.masks.map((mask) => {
    if (mask === 'input.mask') return testCase.masks[0];
    return mask === 'call.mask' ? testCase.call.mask : mask;
  });
  return {
    ...testCase,
    expect: { ...testCase.expect, masks, warns_mask_destroyed: changes.warns_mask_destroyed },
  };
}

/** Checks one case and returns { problem: string | null, error: number }. */
export function checkCase(testCase) {
  const fails = 'error' in testCase.expect;
  let run;
  try {
    run = runCase(testCase);
  } catch (error) {
    if (!(error instanceof mf.MaskflowError)) return { problem: `threw ${error.stack}`, error: 0 };
    return { problem: fails ? null : `threw ${error.name}: ${error.message}`, error: 0 };
  }
  return fails ? { problem: 'should have failed', error: 0 } : compareCase(testCase, run);
}

/**
 * Checks an activation function through the Activation layer, or through the op with its arguments.
 */
export function checkActivation({ fn, kwargs, x, y }) {
  const input = toTensor(x);
  const expected = decode(y);
  const name = fn === 'exponential' ? 'exp' : camel(fn);
  const aliases = { swish: 'silu', hardSwish: 'hardSilu' };
  const op = mf.ops[aliases[name] ?? name];
  const options = Object.fromEntries(
    Object.entries(kwargs).map(([key, value]) => [camel(key), value]),
  );
  if (fn !== 'linear' && typeof op !== 'function') return { problem: `no op ${name}`, error: 0 };
  const output =
    Object.keys(kwargs).length === 0
      ? mf.layers.activation({ activation: fn }).apply(input)
      : op(input, options);
  const error = worstError(output.data(), expected.values);
  const problem =
    sameShape(output.shape, expected.shape) && error <= 1e-5 ? null : `differs by ${error}`;
  return { problem, error };
}
