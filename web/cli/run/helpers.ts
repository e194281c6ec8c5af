// SPDX-License-Identifier: MIT
// Decides whether `--threads auto` uses helpers: the first batch shows how much work they share.
import type { Model } from '../../src/index.js';
import type { Batch } from './batcher.js';

/**
 * Least multiply-adds of a batch that pay for helpers. Their start takes 0.15 s of CPU time, and
 * while this thread reads and writes they fall asleep, so each batch wakes them.
 */
const kLeastWork = 2_000_000;

/** Functions that start the helpers. */
const starts: (() => void)[] = [];

/** Makes the helpers of 'auto' wait for `startHelpersFor`. Called before `ready`. */
export async function postponeHelpers(): Promise<void> {
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

/** Starts the helpers if the first batch with rows has enough work for them. */
export async function startHelpersFor(model: Model, batch: Batch): Promise<void> {
  if (starts.length === 0 || batch.rows?.length === 0) return;
  const waiting = starts.splice(0);
  if (await isWorth(model, batch)) for (const start of waiting) start();
}
