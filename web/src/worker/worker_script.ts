// SPDX-License-Identifier: MIT
import { workerChunk } from './worker_chunk.js';
import { type NodeWorker, nodeThreads } from './port.js';

/**
 * The package's worker out of a text, for where its file is not: many bundlers leave it behind, and another origin may not hand
 * it out. The text is a chunk like others, which no bundler loses, and is fetched only here.
 */
export const startFromText = async (): Promise<Worker | NodeWorker> =>
  startText((await workerChunk()).default);

/** The same of another script. */
export function startText(text: string): Worker | NodeWorker {
  const threads = nodeThreads();
  if (threads) {
    const script = new URL(`data:text/javascript,${encodeURIComponent(text)}`);
    return new threads.Worker(script, { execArgv: [] });
  }
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  try {
    // (In a frame without an origin Chromium starts classic scripts from a blob, but no modules.)
    return new Worker(address);
  } catch (error) {
    URL.revokeObjectURL(address);
    throw error;
  }
}
