// SPDX-License-Identifier: MIT
// Records the threads that the package starts in this process. Import it before the package.
const threads = process.getBuiltinModule('node:worker_threads');

/** All threads so far. */
export const started = [];

threads.Worker = class extends threads.Worker {
  constructor(...args) {
    super(...args);
    started.push(this);
  }
};

/** Threads that have not ended. */
export const living = () => started.filter(({ threadId }) => threadId !== -1);
