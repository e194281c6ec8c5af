// SPDX-License-Identifier: MIT
// Pauses in long calls, so that a page stays usable while it trains.
import { nextTask } from '../base/next_task.js';

/** Milliseconds of a frame, at 60 per second. */
const kFrame = 16;

/** Lets other tasks run after this one has blocked the thread for a frame. */
export class Pace {
  #since = performance.now();

  /** Waits for other tasks if a frame has passed. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#since < kFrame) return;
    await nextTask();
    this.#since = performance.now();
  }
}
