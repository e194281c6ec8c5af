// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import * as mf from '../../dist/index.js';

/** What `f` returns, and the warnings it made the package print. */
export function warned(f) {
  const warnings = [];
  const warn = console.warn;
  console.warn = (message) => warnings.push(String(message));
  try {
    return { result: f(), warnings };
  } finally {
    console.warn = warn;
  }
}

/** Tensors and bytes alive in the wasm memory. */
export function live() {
  const { tensors, bytes } = mf.memory();
  return { tensors, bytes };
}

/** `f` leaves no more in the wasm memory than it found. */
export function leavesNothing(f) {
  const start = live();
  f();
  assert.deepEqual(live(), start);
}

/** A mask as rows of T and F. */
export const letters = (mask) =>
  mask === null ? null : (mask.array?.() ?? mask).map((row) => row.map((x) => 'FT'[+x]).join(''));

/** Rows of T and F as nested booleans. */
export const rows = (text) => text.split(' ').map((row) => [...row].map((c) => c === 'T'));

/** Close numbers, nested like one another; NaN is close to NaN only. */
export function close(actual, expected, tolerance = 1e-6, message = '') {
  const a = [actual].flat(Number.POSITIVE_INFINITY);
  const b = [expected].flat(Number.POSITIVE_INFINITY);
  assert.equal(a.length, b.length, `${message} ${a.length} numbers instead of ${b.length}`);
  b.forEach((wanted, i) => {
    const got = a[i];
    if (Object.is(got, wanted) || got === wanted) return;
    const fine = Math.abs(got - wanted) <= tolerance * Math.max(1, Math.abs(wanted));
    assert.ok(fine, `${message} element ${i} is ${got}, not ${wanted}`);
  });
}
