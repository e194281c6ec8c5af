// SPDX-License-Identifier: MIT
// The last way of `openWorker` to start a worker, when its file cannot be fetched.
import type { NodeWorker } from '../engine/node_threads.js';
import { startText } from '../engine/start_text.js';
import { workerChunk } from './worker_chunk.js';

/**
 * Starts the package's worker from a text. Many bundlers leave its file behind, and another origin
 * may not serve it. The text is a chunk, which every bundler keeps; only this function fetches it.
 */
export async function startFromText(): Promise<Worker | NodeWorker> {
  const { shared, default: own } = await workerChunk();
  return startText(shared + own);
}
