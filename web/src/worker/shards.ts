// SPDX-License-Identifier: MIT
import { elementCount, sum } from '../base/array.js';
import type { WireCall, WireTensor } from './messages.js';

/** Rows `from` to `to`, not included. */
export interface Shard {
  from: number;
  to: number;
}

/** Sums of what counts, row by row, per row. */
function countRows({ data, shape }: WireTensor, perStep: number, work: Float64Array): void {
  const steps = data.length / (shape[0] as number) / perStep;
  for (let row = 0, at = 0; row < work.length; row++) {
    let kept = 0;
    for (let step = 0; step < steps; step++, at += perStep) {
      for (let i = 0; i < perStep; i++) {
        if (data[at + i] !== 0) {
          kept++;
          break;
        }
      }
    }
    work[row] = (work[row] as number) + kept;
  }
}

/** The elements of one step: the features of [batch, time, features]. */
const stepSize = ({ shape }: WireTensor): number => elementCount(shape.slice(2));

/**
 * What each row costs, in kept steps: by its mask; without one, where the model makes masks from zeros, by its steps that
 * are not zero; otherwise all rows cost the same. Each row costs something even when nothing is kept.
 */
export function workOf(call: WireCall, rows: number, makesMasks: boolean): Float64Array {
  const work = new Float64Array(rows).fill(1);
  call.x.items.forEach((item, i) => {
    const mask = call.masks?.[i] ?? item.mask;
    if (mask) countRows(mask, stepSize(mask), work);
    else if (makesMasks && item.shape.length > 1) countRows(item, stepSize(item), work);
  });
  return work;
}

/**
 * The rows with most work first, or null where all have the same: rows of one length cost least together, and the dear ones are
 * not left for the end.
 */
export function dearestFirst(work: Float64Array): Int32Array | null {
  if (work.every((cost) => cost === work[0])) return null;
  const order = Int32Array.from(work, (_, row) => row);
  return order.sort((a, b) => (work[b] as number) - (work[a] as number) || a - b);
}

/** Shards are cut finer than there are workers, which are not equally fast, but hold whole batches. */
const perWorker = 4;

/**
 * Consecutive rows of about equal work. As many shards as workers, or more while a shard holds at least a batch.
 */
export function cutByWork(work: Float64Array, workers: number, batchSize: number): Shard[] {
  const rows = work.length;
  const finer = Math.floor(rows / (workers * (batchSize || rows)));
  const count = Math.min(rows, workers * Math.min(perWorker, Math.max(1, finer)));
  const total = sum(work);
  const shards: Shard[] = [];
  let from = 0;
  let done = 0;
  for (let row = 0; row < rows; row++) {
    const cost = work[row] as number;
    const goal = (total * (shards.length + 1)) / count;
    // The row that crosses the line goes to the side where more of it lies.
    if (row > from && done + cost / 2 > goal && shards.length + 1 < count) {
      shards.push({ from, to: row });
      from = row;
    }
    done += cost;
  }
  shards.push({ from, to: rows });
  return shards;
}
