// SPDX-License-Identifier: MIT
// One helper of a team of threads, in a browser or in Node: docs/internals/threads.md.
import { startText } from './start_text.js';
import type { NodeWorker } from './node_threads.js';

/** A helper as the main thread sees it. */
export class Helper {
  /** Resolves when the helper runs regions. Rejects if it ends before. */
  readonly arrival: Promise<void>;
  readonly #worker: Worker | NodeWorker;
  #resolve: () => void = () => {};
  #reject: (error: Error) => void = () => {};
  #lost: (reason: string) => void = () => {};
  #hasEnded = false;

  constructor() {
    this.#worker = startText(HELPER_SCRIPT);
    this.arrival = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // The start may fail before it waits for the arrival.
    this.arrival.catch(() => {});
    const worker = this.#worker;
    if ('on' in worker) {
      worker.on('message', () => this.#resolve());
      worker.on('error', (error) => this.#lose(String((error as Error)?.message ?? error)));
      worker.on('exit', (code) => this.#lose(`exit code ${code}`));
    } else {
      worker.onmessage = () => this.#resolve();
      worker.onerror = (event) => {
        event.preventDefault();
        this.#lose(event.message || 'their script is not allowed to run');
      };
    }
  }

  #lose(reason: string): void {
    if (this.#hasEnded) return;
    this.#reject(new Error(reason));
    this.end();
    this.#lost(reason);
  }

  /** The message waits until the script is loaded. */
  post(message: unknown): void {
    (this.#worker as NodeWorker).postMessage(message, []);
  }

  /** The helper runs regions from now on. In Node it does not keep the program running. */
  run(lost: (reason: string) => void): void {
    this.#lost = lost;
    if ('unref' in this.#worker) this.#worker.unref();
  }

  end(): void {
    this.#hasEnded = true;
    this.#reject(new Error('they were ended'));
    this.#worker.terminate();
  }
}
