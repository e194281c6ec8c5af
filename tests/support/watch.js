// SPDX-License-Identifier: MIT
// Assertions about masks, warnings, memory and close numbers, for most tests of web/.
import assert from 'node:assert/strict';
import * as mf from '../../dist/index.js';

/** Returns the result of `f` and the warnings that the package printed meanwhile. */
export function collectWarnings(f) {
  const warnings = [];
  const warn = console.warn;
  console.warn = (message) => warnings.push(String(message));
  try {
    return { result: f(), warnings };
  } finally {
    console.warn = warn;
  }
}

/** Returns the number of tensors and bytes in use in wasm memory. */
export function live() {
  const { tensors, bytes } = mf.memory();
  return { tensors, bytes };
}

/** Asserts that `f` frees all the wasm memory that it uses. */
export function leavesNothing(f) {
  const start = live();
  f();
  assert.deepEqual(live(), start);
}

/** Writes a mask as rows of T and F. */
export const letters = (mask) =>
  mask === null ? null : (mask.array?.() ?? mask).map((row) => row.map((x) => 'FT'[+x]).join(''));

/** Reads rows of T and F as nested booleans. */
export const rows = (text) => text.split(' ').map((row) => [...row].map((c) => c === 'T'));

/** Asserts that two nested lists of numbers are close; NaN is close to NaN only. */
export function close(actual, expected, tolerance = 1e-6, message = '') {
  const a = [actual].flat(Number.POSITIVE_INFINITY);
  const b = [expected].flat(Number.POSITIVE_INFINITY);
  assert.equal(a.length, b.length, `${message} ${a.length} numbers instead of ${b.length}`);
  b.forEach((expectedNumber, i) => {
    const actualNumber = a[i];
    if (Object.is(actualNumber, expectedNumber) || actualNumber === expectedNumber) return;
    const isClose =
      Math.abs(actualNumber - expectedNumber) <= tolerance * Math.max(1, Math.abs(expectedNumber));
    assert.ok(isClose, `${message} element ${i} is ${actualNumber}, not ${expectedNumber}`);
  });
}
