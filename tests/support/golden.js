// SPDX-License-Identifier: MIT
// Reads fixtures recorded from Keras, runs a case through the package, and compares.
import { readFileSync } from 'node:fs';
import * as mf from '../../dist/index.js';

const fixtures = new URL('../fixtures/', import.meta.url);

/** Parses a fixture; Python writes NaN and infinities as bare words, which JSON does not know. */
export function readFixture(path) {
  const text = readFileSync(new URL(path, fixtures), 'utf8');
  return JSON.parse(text.replace(/(?<=[[:,]\s*)(NaN|-?Infinity)(?=\s*[,\]}])/g, 'null'));
}

const readers = { float32: Float32Array, int32: Int32Array, bool: Uint8Array };

export function decode({ shape, dtype, data }) {
  const bytes = Buffer.from(data, 'base64');
  const Typed = readers[dtype];
  if (!Typed) throw new Error(`the fixture has dtype ${dtype}`);
  const copy = new Uint8Array(bytes).buffer;
  return { shape, dtype, values: new Typed(copy) };
}

export function toTensor(recorded) {
  const { shape, dtype, values } = decode(recorded);
  return mf.tensor(values, { shape, dtype });
}

const isTensor = (value) => value !== null && typeof value === 'object' && 'data' in value;
const camel = (name) => name.replace(/_([a-z])/g, (_, c) => c.toUpperCase());

/** Recorded call arguments as options of `apply`. */
function callOptions(call, made) {
  const convert = (value) => {
    if (isTensor(value)) {
      const tensor = toTensor(value);
      made.push(tensor);
      return tensor;
    }
    return Array.isArray(value) ? value.map(convert) : value;
  };
  return Object.fromEntries(
    Object.entries(call).map(([key, value]) => [camel(key), convert(value)]),
  );
}

function inputsOf(testCase, made) {
  const tensors = testCase.inputs.map((recorded, i) => {
    const plain = toTensor(recorded);
    made.push(plain);
    const mask = testCase.masks[i];
    if (!mask) return plain;
    const m = toTensor(mask);
    const masked = plain.withMask(m);
    made.push(m, masked);
    return masked;
  });
  if (testCase.arg === 'single') return tensors[0];
  if (testCase.arg === 'list') return tensors;
  return Object.fromEntries(testCase.arg.map((name, i) => [camel(name), tensors[i]]));
}

/** Runs one case; returns the outputs of the last call and whether a dropped mask was warned about. */
export function runCase(testCase) {
  const made = [];
  const warnings = [];
  const warn = console.warn;
  console.warn = (message) => warnings.push(String(message));
  let layer;
  try {
    layer = mf.deserializeLayer(testCase.layer);
    const inputs = inputsOf(testCase, made);
    const shapes = testCase.inputs.map((input) => input.shape);
    if (!('error' in testCase.expect) || testCase.weights?.length > 0) {
      layer.build(shapes.length === 1 ? shapes[0] : shapes);
      const weights = testCase.weights.map(toTensor);
      made.push(...weights);
      layer.setWeights(weights);
    }
    let outputs;
    for (let call = 0; call < (testCase.repeat ?? 1); call++) {
      const result = layer.apply(inputs, callOptions(testCase.call, made));
      outputs = Array.isArray(result) ? result : [result];
      made.push(...outputs);
    }
    const weights = testCase.expect.weights_after ? layer.getWeights() : [];
    made.push(...weights);
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
    for (const tensor of made) tensor.dispose();
    layer?.dispose();
  }
}

/** Largest relative error where the absolute one is over 1e-6; NaN and infinities must agree. */
export function worstError(got, wanted) {
  let worst = 0;
  for (let i = 0; i < wanted.length; i++) {
    const a = got[i];
    const b = wanted[i];
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

/** Compares a run with what was recorded: null when equal, else what differs. */
export function compareCase(testCase, run, tolerance = 1e-5) {
  const { expect } = testCase;
  if (run.outputs.length !== expect.outputs.length) {
    return {
      problem: `${run.outputs.length} outputs instead of ${expect.outputs.length}`,
      error: 0,
    };
  }
  let error = 0;
  for (const [i, recorded] of expect.outputs.entries()) {
    const wanted = decode(recorded);
    const got = run.outputs[i];
    if (!sameShape(got.shape, wanted.shape)) {
      return { problem: `output ${i} has shape ${got.shape}, not ${wanted.shape}`, error };
    }
    error = Math.max(error, worstError(got.values, wanted.values));
    if (error > tolerance) return { problem: `output ${i} differs by ${error}`, error };
    const mask = expect.masks[i] ?? null;
    if ((got.mask === null) !== (mask === null)) {
      return { problem: `output ${i} has ${got.mask ? 'a' : 'no'} mask`, error };
    }
    if (mask) {
      const m = decode(mask);
      const same =
        sameShape(got.mask.shape, m.shape) &&
        m.values.every((keep, k) => (keep !== 0) === (got.mask.values[k] !== 0));
      if (!same) return { problem: `the mask of output ${i} differs`, error };
    }
  }
  if (run.warned !== expect.warns_mask_destroyed) {
    return {
      problem: run.warned ? 'warned of a dropped mask' : 'did not warn of the dropped mask',
      error,
    };
  }
  // Recorded where a call changes weights.
  for (const [i, recorded] of (expect.weights_after ?? []).entries()) {
    const wanted = decode(recorded);
    const got = run.weights[i];
    if (!got || !sameShape(got.shape, wanted.shape)) {
      return { problem: `weight ${i} has shape ${got?.shape}, not ${wanted.shape}`, error };
    }
    error = Math.max(error, worstError(got.values, wanted.values));
    if (error > tolerance) return { problem: `weight ${i} after the call differs`, error };
  }
  return { problem: null, error };
}

/** What is expected under Keras 3.16's rule, from the overlay. */
export function withOverlay(testCase, overlay) {
  const changed = overlay[testCase.name];
  if (!changed) return testCase;
  const masks = changed.masks.map((mask) => {
    if (mask === 'input.mask') return testCase.masks[0];
    return mask === 'call.mask' ? testCase.call.mask : mask;
  });
  return {
    ...testCase,
    expect: { ...testCase.expect, masks, warns_mask_destroyed: changed.warns_mask_destroyed },
  };
}

/** One case end to end: { problem: string | null, error: number }. */
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

/** A plain activation function, run through the Activation layer or the op with its arguments. */
export function checkActivation({ fn, kwargs, x, y }) {
  const input = toTensor(x);
  const wanted = decode(y);
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
  const error = worstError(output.data(), wanted.values);
  const problem =
    sameShape(output.shape, wanted.shape) && error <= 1e-5 ? null : `differs by ${error}`;
  return { problem, error };
}
