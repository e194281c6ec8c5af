// SPDX-License-Identifier: MIT
import { StateError } from '../base/errors.js';

type Button = 'pause' | 'resume' | 'stop';

/** Pauses and ends `fit` of a model in a worker from outside: buttons of a page call it. */
export class WorkerControls {
  #paused = false;
  #press: ((button: Button) => void) | null = null;

  get paused(): boolean {
    return this.#paused;
  }

  /** Training waits before its next batch. */
  pause(): void {
    this.#paused = true;
    this.#press?.('pause');
  }
  resume(): void {
    this.#paused = false;
    this.#press?.('resume');
  }
  /** Ends training after the batch it is at: `fit` gives its history. */
  stop(): void {
    this.#paused = false;
    this.#press?.('stop');
  }

  /** For the `fit` that runs; null when it has ended. @internal */
  connect(press: ((button: Button) => void) | null): void {
    if (press && this.#press) {
      throw new StateError('these controls are those of a fit that runs; make others for this one');
    }
    this.#press = press;
  }
}
