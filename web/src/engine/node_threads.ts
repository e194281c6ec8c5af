// SPDX-License-Identifier: MIT
// Types of Node's worker threads, which differ from a page's workers, without a dependency on
// @types/node.
import { nodeModule } from './node_module.js';

/** The members of a `Worker` of node:worker_threads that the package uses. */
export interface NodeWorker {
  /** Sends a message. The buffers in `transfer` are moved, not copied. */
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  /** Adds a listener for an event: 'message', 'messageerror', 'error' or 'exit'. */
  on(event: string, listener: (value: unknown) => void): unknown;
  /** Ends the worker at once. */
  terminate(): unknown;
  /** Makes the worker keep the program running. */
  ref(): void;
  /** Lets the program end while the worker runs. */
  unref(): void;
}

interface Threads {
  Worker: new (script: URL, options: { execArgv: string[] }) => NodeWorker;
  parentPort: NodeWorker | null;
}

/** The module node:worker_threads; undefined on pages. */
export const nodeThreads = (): Threads | undefined => nodeModule<Threads>('node:worker_threads');
