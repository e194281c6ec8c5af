// SPDX-License-Identifier: MIT
// Decides whether `maskflow run` uses helpers: the first batch shows how much work they share.
import type { Model } from '../../src/index.js';
import type { Batch } from './batcher.js';

/**
 * Least multiply-adds of a batch that pay for helpers. Their start takes 0.15 s of CPU time, and
 * while this thread reads and writes they fall asleep, so each batch wakes them.
 */
const kLeastWork = 2_000_000;

/** Functions that start the helpers. */
const starts: (() => void)[] = [];

/** Whether the user set the number of threads. */
let isChosen = false;

/** Makes the helpers wait for `startHelpersFor`. Called before `ready`. */
export async function postponeHelpers(threads: number | 'auto' | undefined): Promise<void> {
  isChosen = threads !== 'auto' && (threads ?? process.env['MASKFLOW_THREADS']) !== 'auto';
  const { postponed } = await import('../../src/engine/team.js');
  postponed.starts = starts;
}

/** Returns whether the batch has enough work; true if that is unknown. */
async function isWorth(model: Model, batch: Batch): Promise<boolean> {
  // Counting runs the model, which would advance its states.
  if (model.stateful) return true;
  try {
    const { total } = await model.profile(batch.inputs() as never, { repeats: 1 });
    return total.flops >= 2 * kLeastWork;
  } catch {
    // The prediction reports the problem, with the place of the row.
    return true;
  }
}

/** Starts the helpers that wait. */
function startHelpers(): void {
  for (const start of starts.splice(0)) start();
}

/** Whether the user set the number of threads, instead of `auto`. */
export const isNumberChosen = (): boolean => isChosen;

/** Starts the helpers if the user set their number: the file was not divided. */
export function startChosenHelpers(): void {
  if (isChosen) startHelpers();
  starts.length = 0;
}

/**
 * Starts the helpers if the first batch with rows has enough work for them, or if the user set
 * their number. Returns true if `mayDivide` and threads can divide the file instead.
 */
export async function startHelpersFor(
  model: Model,
  batch: Batch,
  mayDivide: boolean,
): Promise<boolean> {
  if (starts.length === 0 || batch.rows?.length === 0) return false;
  if (isChosen && !mayDivide) startHelpers();
  else if (await isWorth(model, batch)) startHelpers();
  else if (mayDivide) return true;
  starts.length = 0;
  return false;
}
