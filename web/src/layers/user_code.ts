// SPDX-License-Identifier: MIT
// Counts the calls of user code by the core, and the calls of layers that compute; names what user
// code returned.
import { describe, ignorePromise } from '../base/check.js';
import { StateError } from '../base/errors.js';

// User code that calls back into the core could exhaust its stack, and the core cannot recover.
const kDeepest = 60;
let depth = 0;

/** Returns whether code of layers, or a function that is differentiated, is running. */
export const isUserCodeRunning = (): boolean => depth > 0;

let computing = 0;

/** Runs a call of a layer that computes. */
export function compute<T>(f: () => T): T {
  computing++;
  try {
    return f();
  } finally {
    computing--;
  }
}

/** Runs user code that only finds out shapes, whatever computes around it. */
export function tryOut<T>(f: () => T): T {
  const outside = computing;
  computing = 0;
  try {
    return f();
  } finally {
    computing = outside;
  }
}

/** Returns whether code of layers runs only to find out shapes, so that it must not count. */
export const isTrial = (): boolean => depth > 0 && computing === 0;

/** Runs user code. Throws StateError if it is nested too deep. */
export function limitDepth<T>(f: () => T): T {
  try {
    if (++depth > kDeepest) {
      throw new StateError(
        `code of layers calls other code more than ${kDeepest} deep; does it call itself?`,
      );
    }
    return f();
  } finally {
    depth--;
  }
}

/** Returns what a function returned, for a message. */
export function nameOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (ignorePromise(value)) return 'a Promise; it cannot be async';
  return Array.isArray(value) && value.length === 0 ? 'an empty list' : describe(value);
}
