// SPDX-License-Identifier: MIT
// Repeats calls of ops at their edges that tests/fuzz/keras_edges.py recorded with real Keras.
import * as mf from '../../dist/train.js';
import { callOf, firstDifference } from './op_calls.js';

/** Outcome of the package: { results } or { error }. */
function outcomeOf(recorded) {
  try {
    return { results: callOf(recorded).run() };
  } catch (error) {
    if (error instanceof mf.MaskflowError) return { error };
    throw error;
  }
}

/** Compares with what one back end of Keras did. */
function differenceOf(outcome, recorded) {
  if (recorded.error) return outcome.error ? null : `accepted; Keras: ${recorded.error}`;
  if (outcome.error) return `threw ${outcome.error.name}: ${outcome.error.message}`;
  return firstDifference(outcome.results, recorded.results, 'result');
}

/** The difference from each of the back ends; null if there is none from one of them. */
export function checkEdge(recorded, other = recorded) {
  const outcome = outcomeOf(recorded);
  const difference = differenceOf(outcome, recorded);
  return difference === null || differenceOf(outcome, other) === null ? null : difference;
}
