// SPDX-License-Identifier: MIT
// Batches of rows, from any source of data, for run_rows.ts.
import { batch, type Inputs } from '../inputs.js';
import type { Batch, Batcher } from './batcher.js';
import type { RowSource } from './rows.js';
import { noFields } from './rows.js';

/** Batches of data that was read as a whole. A batch without rows still determines the shapes. */
export function* wholeBatches(inputs: Inputs, size: number): Generator<Batch> {
  const step = Math.min(size, Math.max(inputs.rows, 1));
  for (let from = 0; from < Math.max(inputs.rows, 1); from += step) {
    const count = Math.min(step, inputs.rows - from);
    yield {
      inputs: () => batch(inputs, from, from + step),
      entries: Array.from({ length: count }, (_, index) => ({ fields: noFields, index })),
      rows: null,
      dispose: () => {},
    };
  }
}

/** Time in ms after which rows are computed that wait for others to fill their batch. */
const kLongestWait = 20;

const kLate = Symbol('late');

/** Waits for a promise, but not longer than some time. */
async function soon<T>(promise: Promise<T>): Promise<T | typeof kLate> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<typeof kLate>((resolve) => {
    timer = setTimeout(resolve, kLongestWait, kLate);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Batches of rows. The last rows stay in the batcher. If the input pauses, `isPatient` decides
 * whether rows wait for a full batch; otherwise a smaller one is computed, so that a program that
 * waits for its answer receives it.
 */
export async function* rowBatches(
  blocks: RowSource['blocks'],
  batcher: Batcher,
  size: number,
  isPatient: boolean,
): AsyncGenerator<Batch> {
  const iterator = blocks[Symbol.asyncIterator]();
  let next = iterator.next();
  for (;;) {
    if (batcher.hasRows && !isPatient && (await soon(next)) === kLate) yield batcher.take();
    const { value, done } = await next;
    if (done) break;
    next = iterator.next();
    // The error shows when the rows before it are done.
    next.catch(() => {});
    for (const row of value) {
      batcher.add(row);
      if (batcher.isFull(size)) yield batcher.take();
    }
  }
}
