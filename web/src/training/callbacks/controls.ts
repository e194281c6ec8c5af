// SPDX-License-Identifier: MIT
// The callback `callbacks.controls`, which Keras does not have: a page pauses, resumes and stops
// training.
import { Callback } from './callback.js';

/** Pauses and ends training from other code, such as buttons of a page. */
export class Controls extends Callback {
  #waiting: Promise<void> | null = null;
  #go: () => void = () => {};

  /** Whether training is paused. */
  get paused(): boolean {
    return this.#waiting !== null;
  }

  /** Pauses training before the next batch. */
  pause(): void {
    this.#waiting ??= new Promise((resolve) => {
      this.#go = resolve;
    });
  }

  /** Resumes training. */
  resume(): void {
    this.#waiting = null;
    this.#go();
  }

  /** Ends training after the current batch; `fit` returns its history. */
  stop(): void {
    if (this.model) this.model.stopTraining = true;
    this.resume();
  }

  /** Waits while training is paused. */
  override onBatchBegin(): Promise<void> | null {
    return this.#waiting;
  }
}
