// SPDX-License-Identifier: MIT
// Data, weights and comparison of the programs that tests/fixtures/guide_programs records; its
// common.py has the same data and weights.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const file = new URL('../fixtures/guide_programs/recording.json', import.meta.url);
/** Numbers of Keras by program and name. */
export const recording = JSON.parse(readFileSync(file, 'utf8'));

function nested(flat, shape) {
  if (shape.length === 0) return flat[0];
  const size = flat.length / shape[0];
  return Array.from({ length: shape[0] }, (_, i) =>
    nested(flat.slice(i * size, (i + 1) * size), shape.slice(1)),
  );
}
const count = (shape) => shape.reduce((product, size) => product * size, 1);
const generate = (shape, f) =>
  nested(
    Array.from({ length: count(shape) }, (_, i) => f(i)),
    shape,
  );

/** Smooth numbers between -1 and 1. */
export const wave = (shape, phase = 0) => generate(shape, (i) => Math.sin(i * 0.9 + phase));

/** Integers from `start` to `size` - 1. */
export const ids = (shape, size, start = 0) =>
  generate(shape, (i) => ((i * i * 3 + i * 7) % (size - start)) + start);

/** Applies a function to all numbers of nested arrays. */
export const map = (values, f) =>
  Array.isArray(values) ? values.map((item) => map(item, f)) : f(values);

export const oneHot = (labels, size) =>
  map(labels, (label) => Array.from({ length: size }, (_, i) => Number(i === label)));

/** Numbers for the k-th weight of a model, of this shape. */
export const valuesOf = (shape, k) => generate(shape, (i) => 0.4 * Math.sin(i * 0.9 + k));

/** Sets all weights of a model or layer; variances and scales are positive. */
export function fill(owner) {
  owner.setWeights(
    owner.weights.map(({ name, shape }, k) => {
      const isPositive = name === 'gamma' || name === 'moving_variance';
      return map(valuesOf(shape, k), (value) => value + (isPositive ? 1 : 0));
    }),
  );
  return owner;
}

/** Turns results into plain lists and numbers. */
function plain(value) {
  if (typeof value?.array === 'function') return value.array();
  if (ArrayBuffer.isView(value)) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

/** Compares plain results; numbers may differ by `tolerance`, relative to them or to 0.1. */
export function compare(actual, expected, path, tolerance) {
  if (typeof expected === 'number' && typeof actual !== 'string') {
    const difference = Math.abs(Number(actual) - expected);
    const allowed = tolerance * Math.max(0.1, Math.abs(expected));
    assert.ok(difference <= allowed, `${path}: ${actual}, recorded ${expected}`);
  } else if (expected === null || typeof expected !== 'object') {
    assert.equal(actual, expected, path);
  } else {
    assert.deepEqual(Object.keys(actual ?? {}).sort(), Object.keys(expected).sort(), path);
    for (const key of Object.keys(expected)) {
      compare(actual[key], expected[key], `${path}.${key}`, tolerance);
    }
  }
}

/** Names of the programs of a test file. */
export const written = new Set();

/** Returns a function that runs a program and compares its results with recorded ones, by name. */
export const programsBeside =
  (results) =>
  (name, run, tolerance = 2e-5) => {
    written.add(name);
    test(name.replaceAll('_', ' '), async () => {
      compare(plain(await run()), results[name], name, tolerance);
    });
  };

/** Runs a program beside Keras. */
export const program = programsBeside(recording);

/** Compares the programs of a file with those of `module`, which Keras ran. */
export function everyProgramOf(module) {
  test(`every program of ${module}.py is written here`, () => {
    const source = new URL(`../fixtures/guide_programs/${module}.py`, import.meta.url);
    const pattern = /@program\ndef (\w+)/g;
    const names = [...readFileSync(source, 'utf8').matchAll(pattern)].map(([, each]) => each);
    assert.deepEqual([...written].sort(), names.sort());
    assert.ok(names.every((each) => each in recording));
  });
}
