// SPDX-License-Identifier: MIT
// Repeats calls of ops that tests/fuzz/keras_calls.py recorded with real Keras.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as mf from '../../dist/train.js';

const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
/** Ops with another name in JavaScript. */
const renamed = { var: 'variance' };

/** The name in JavaScript of an op of Keras. */
export const nameOf = (op) => renamed[op] ?? camel(op);

/** The calls of a recording in tests/fixtures/ops. */
export function recordedCalls(name) {
  const path = new URL(`../fixtures/ops/${name}.jsonl.gz`, import.meta.url);
  const lines = gunzipSync(readFileSync(path)).toString().split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line));
}

const nonFinite = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};
const isEncoded = (value) => value !== null && typeof value === 'object' && 'data' in value;

function decoded({ shape, dtype, data }) {
  const numbers = data.map((x) => {
    if (typeof x !== 'number') return nonFinite[x];
    // PyTorch sums int32 numbers in int64.
    return dtype === 'int32' ? x | 0 : x;
  });
  return mf.tensor(dtype === 'bool' ? numbers.map(Boolean) : numbers, { dtype, shape });
}

/** Replaces encoded tensors; `each` receives them in the order of the recording. */
function withTensors(value, each) {
  if (Array.isArray(value)) return value.map((item) => withTensors(item, each));
  return isEncoded(value) ? each(decoded(value)) : value;
}

/** Activations as ops have the settings and defaults of `keras.activations`. */
function asActivation({ op, required, options }) {
  if (op === 'gelu') return { required, options: { approximate: true, ...options } };
  if (op === 'threshold') return { required: {}, options: { ...required, ...options } };
  return { required, options };
}

export function callOf(call) {
  const { op, tensors } = call;
  const { required, options } = asActivation(call);
  const leaves = [];
  const keep = (tensor) => {
    leaves.push(tensor);
    return tensor;
  };
  const operands = withTensors(tensors, keep);
  const settings = Object.entries(options).map(([key, value]) => [
    // N and M are n and m in the package.
    key.length === 1 ? key.toLowerCase() : camel(key),
    withTensors(value, keep),
  ]);
  const f = mf.ops[nameOf(op)];
  const positional = Object.values(required);
  // The package takes a list of vectors, Keras one argument for each.
  const listed = op === 'meshgrid' ? [operands] : operands;
  const args = op === 'einsum' ? [...positional, ...listed] : [...listed, ...positional];
  if (settings.length > 0) args.push(Object.fromEntries(settings));
  return { leaves, run: () => [f(...args)].flat() };
}

/** Numbers that PyTorch computes in another order differ in the last bits. */
const kTolerance = 3e-5;

function differenceOf(actual, expected, what) {
  const { shape, dtype } = expected;
  if (String(actual.shape) !== String(shape)) return `${what}: shape ${actual.shape}, not ${shape}`;
  if (actual.dtype !== dtype) return `${what}: dtype ${actual.dtype}, not ${dtype}`;
  const data = decoded(expected).data();
  const numbers = actual.data();
  for (const [i, b] of data.entries()) {
    const a = numbers[i];
    if (Object.is(a, b) || a === b) continue;
    if (Math.abs(a - b) <= kTolerance * Math.max(1, Math.abs(b))) continue;
    return `${what}: element ${i} is ${a}, not ${b}`;
  }
  return null;
}

export function firstDifference(actual, expected, what) {
  if (actual.length !== expected.length) return `${what}: ${actual.length} results`;
  for (const [i, tensor] of actual.entries()) {
    const difference = differenceOf(tensor, expected[i], `${what} ${i}`);
    if (difference !== null) return difference;
  }
  return null;
}

function gradientDifference(recorded) {
  const { leaves, run } = callOf(recorded);
  const floats = leaves.filter(({ dtype }) => dtype === 'float32');
  const { gradients } = mf.valueAndGradients(() => {
    const sums = run()
      .filter(({ dtype }) => dtype === 'float32')
      .map((y) => {
        const flat = mf.ops.reshape(y, [-1]);
        return mf.ops.sum(mf.ops.multiply(flat, mf.ops.arange(1, { stop: y.size + 1 })));
      });
    return sums.reduce((a, b) => mf.ops.add(a, b));
  }, floats);
  for (const [i, expected] of recorded.gradients.entries()) {
    const actual = gradients[i] ?? mf.ops.zerosLike(floats[i]);
    const zeros = { ...recorded, shape: floats[i].shape, dtype: 'float32' };
    zeros.data = Array(floats[i].size).fill(0);
    const difference = differenceOf(actual, expected ?? zeros, `gradient ${i}`);
    if (difference !== null) return difference;
  }
  return null;
}

/** The first difference between the package and a recorded call; null if there is none. */
export async function checkCall(recorded) {
  if (recorded.fails) return null;
  const { leaves, run } = callOf(recorded);
  const difference = firstDifference(run(), recorded.results, 'result');
  if (difference !== null) return difference;
  if (recorded.gradients) {
    const wrong = gradientDifference(recorded);
    if (wrong !== null) return wrong;
  }
  if (!recorded.architecture) return null;
  const bytes = new TextEncoder().encode(recorded.architecture);
  const model = await mf.loadModel(bytes, { weights: null });
  const again = await mf.loadModel(await model.save());
  for (const [name, each] of Object.entries({ model, again })) {
    const results = [each.apply(leaves.length > 1 ? leaves : leaves[0])].flat();
    const wrong = firstDifference(results, recorded.results, `result of ${name}`);
    if (wrong !== null) return wrong;
  }
  return null;
}
