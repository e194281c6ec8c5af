// SPDX-License-Identifier: MIT
// Starts workers that train; fetched with the first of them.
import type { NodeWorker } from '../engine/node_threads.js';
import { startText } from '../engine/start_text.js';
import { trainChunks } from '../engine/train_chunks.gen.js';
import { startThread } from './port.js';
import { workerChunk } from './worker_chunk.js';

export const layers = 'train';
export const chunks = trainChunks;

/** Starts the script. Bundlers recognise only this form of `new Worker`. */
export const start = (): Worker | NodeWorker =>
  startThread('worker_train') ??
  new Worker(new URL('./worker_train.js', import.meta.url), { type: 'module' });

export async function startFromText(): Promise<Worker | NodeWorker> {
  const [{ shared }, { default: own }] = await Promise.all([
    workerChunk(),
    import('./chunks/worker_train_script.js'),
  ]);
  return startText(shared + own);
}
