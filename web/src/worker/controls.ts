// SPDX-License-Identifier: MIT
// The option `controls` of `fit` in a worker. Other options are sent once, when training begins.
import { StateError } from '../base/errors.js';

type Button = 'pause' | 'resume' | 'stop';

/** Pauses and ends `fit` of a model in a worker, for buttons of a page. */
export class WorkerControls {
  #paused = false;
  #press: ((button: Button) => void) | null = null;

  /** Whether training is paused: true from `pause()` until `resume()` or `stop()`. */
  get paused(): boolean {
    return this.#paused;
  }

  /** Makes training wait before its next batch. */
  pause(): void {
    this.#paused = true;
    this.#press?.('pause');
  }
  /** Continues training after a pause. */
  resume(): void {
    this.#paused = false;
    this.#press?.('resume');
  }
  /** Ends training after the current batch. `fit` then resolves to its history. */
  stop(): void {
    this.#paused = false;
    this.#press?.('stop');
  }

  /** Sets the receiver of the buttons while a `fit` runs; null when it has ended. @internal */
  connect(press: ((button: Button) => void) | null): void {
    if (press && this.#press) {
      throw new StateError(
        'another fit() uses these controls; create new WorkerControls for this one',
      );
    }
    this.#press = press;
  }
}
