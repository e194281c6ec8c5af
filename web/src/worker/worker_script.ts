// SPDX-License-Identifier: MIT
import { workerChunk } from './worker_chunk.js';
import { type NodeWorker, nodeThreads } from './port.js';

/**
 * Starts the package's worker from a text. Many bundlers leave its file behind, and another origin
 * may not serve it. The text is a chunk, which every bundler keeps; only this function fetches it.
 */
export const startFromText = async (): Promise<Worker | NodeWorker> =>
  startText((await workerChunk()).default);

/** Starts a worker from the text of its script. */
export function startText(text: string): Worker | NodeWorker {
  const threads = nodeThreads();
  if (threads) {
    const script = new URL(`data:text/javascript,${encodeURIComponent(text)}`);
    return new threads.Worker(script, { execArgv: [] });
  }
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  try {
    // In a frame without an origin, Chromium starts classic scripts from a blob, but not modules.
    return new Worker(address);
  } catch (error) {
    URL.revokeObjectURL(address);
    throw error;
  }
}
