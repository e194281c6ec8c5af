// SPDX-License-Identifier: MIT
// Decides how a pool divides rows: by kept steps, because a masked step costs nothing.
import { elementCount, sum } from '../base/array.js';
import type { WireCall, WireTensor } from './messages.js';

/** Rows `from` to `to` (exclusive). */
export interface Shard {
  from: number;
  to: number;
}

/** Adds to `work` the number of steps of each row that have an element other than 0. */
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

/** Number of elements of one step: the features of [batch, time, features]. */
const stepSize = ({ shape }: WireTensor): number => elementCount(shape.slice(2));

/**
 * The tensor whose zeros are the steps that are not kept: the mask, or the input itself if the
 * model creates masks from zeros. Null: all steps are kept.
 */
function maskOf(call: WireCall, input: number, makesMasks: boolean): WireTensor | null {
  const item = call.x.items[input] as WireTensor;
  return call.masks?.[input] ?? item.mask ?? (makesMasks && item.shape.length > 1 ? item : null);
}

/** The cost of each row, in steps. A row costs 1, and 1 more for each step that a mask keeps. */
export function workOf(call: WireCall, rows: number, makesMasks: boolean): Float64Array {
  const work = new Float64Array(rows).fill(1);
  call.x.items.forEach((_, i) => {
    const mask = maskOf(call, i, makesMasks);
    if (mask) countRows(mask, stepSize(mask), work);
  });
  return work;
}

/** Number of kept steps of all rows of the longest input. */
export function keptSteps(call: WireCall, makesMasks: boolean): number {
  const counts = call.x.items.map(({ shape }, i) => {
    const mask = maskOf(call, i, makesMasks);
    if (!mask) return elementCount(shape.slice(0, 2));
    const kept = new Float64Array(mask.shape[0] as number);
    countRows(mask, stepSize(mask), kept);
    return sum(kept);
  });
  return Math.max(0, ...counts);
}

/**
 * The rows with most work first; null if all rows have the same. Rows of similar length cost least
 * in one batch, and no long row is computed last.
 */
export function heaviestFirst(work: Float64Array): Int32Array | null {
  if (work.every((cost) => cost === work[0])) return null;
  const order = Int32Array.from(work, (_, row) => row);
  return order.sort((a, b) => (work[b] as number) - (work[a] as number) || a - b);
}

/** Most shards per worker. Several are better than one because workers are not equally fast. */
const perWorker = 4;

/**
 * Splits rows into shards of about equal work: one per worker, or more if shards have a batch each.
 */
export function cutByWork(work: Float64Array, workers: number, batchSize: number): Shard[] {
  const rows = work.length;
  const perShard = Math.floor(rows / (workers * (batchSize || rows)));
  const count = Math.min(rows, workers * Math.min(perWorker, Math.max(1, perShard)));
  const total = sum(work);
  const shards: Shard[] = [];
  let from = 0;
  let done = 0;
  for (let row = 0; row < rows; row++) {
    const cost = work[row] as number;
    const goal = (total * (shards.length + 1)) / count;
    // A row that crosses the goal goes to the side that has the larger part of it.
    if (row > from && done + cost / 2 > goal && shards.length + 1 < count) {
      shards.push({ from, to: row });
      from = row;
    }
    done += cost;
  }
  shards.push({ from, to: rows });
  return shards;
}
