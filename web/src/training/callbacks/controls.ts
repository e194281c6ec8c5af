// SPDX-License-Identifier: MIT
import { Callback } from './callback.js';

/** Pauses and ends training from outside: buttons of a page call it. */
export class Controls extends Callback {
  #waiting: Promise<void> | null = null;
  #go: () => void = () => {};

  get paused(): boolean {
    return this.#waiting !== null;
  }

  /** Training waits before the next batch. */
  pause(): void {
    this.#waiting ??= new Promise((resolve) => {
      this.#go = resolve;
    });
  }

  resume(): void {
    this.#waiting = null;
    this.#go();
  }

  /** Ends training after the batch it is at, as a callback would: `fit` gives its history. */
  stop(): void {
    if (this.model) this.model.stopTraining = true;
    this.resume();
  }

  override onBatchBegin(): Promise<void> | null {
    return this.#waiting;
  }
}
