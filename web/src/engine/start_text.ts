// SPDX-License-Identifier: MIT
// Scripts that are inside the package as text: helpers of threads, and workers where no file can be
// fetched.
import { type NodeWorker, nodeThreads } from './node_threads.js';

/** Starts a worker from the text of its script. */
export function startText(text: string): Worker | NodeWorker {
  const threads = nodeThreads();
  if (threads) {
    const script = new URL(`data:text/javascript,${encodeURIComponent(text)}`);
    return new threads.Worker(script, { execArgv: [] });
  }
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const release = (): void => URL.revokeObjectURL(address);
  try {
    // In a frame without an origin, Chromium starts classic scripts from a blob, but not modules.
    const worker = new Worker(address);
    // Its first message shows that the script is loaded.
    worker.addEventListener('message', release, { once: true });
    return worker;
  } catch (error) {
    release();
    throw error;
  }
}
