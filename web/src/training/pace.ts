// SPDX-License-Identifier: MIT
import { nextTask } from '../base/next_task.js';

/** A frame of a page's 60 a second. */
const kFrame = 16;

/** Lets other tasks in, once this one has held the thread for as long as a frame. */
export class Pace {
  #since = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.#since < kFrame) return;
    await nextTask();
    this.#since = performance.now();
  }
}

/** What the promise gives, or the signal's reason as soon as that is aborted. */
export async function unlessAborted<T>(promise: T | Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal || !(promise instanceof Promise)) return promise;
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
