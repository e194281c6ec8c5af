// SPDX-License-Identifier: MIT
// Records the threads that the package starts in this process. Import it before the package.
const threads = process.getBuiltinModule('node:worker_threads');

/** All threads so far. */
export const started = [];

const firstMessages = new Map();
const ends = [];

threads.Worker = class extends threads.Worker {
  constructor(...args) {
    super(...args);
    started.push(this);
    const message = new Promise((resolve) => {
      for (const event of ['message', 'exit']) this.once(event, resolve);
    });
    firstMessages.set(this, message);
  }

  terminate() {
    const end = super.terminate();
    ends.push(end);
    return end;
  }
};

/** Threads that have not ended. */
export const living = () => started.filter(({ threadId }) => threadId !== -1);

/**
 * Resolves when the package knows that all threads that have not ended posted a message or ended,
 * and when those that it terminated have ended.
 */
export async function arrived() {
  await Promise.all(ends.splice(0));
  await Promise.all(living().map((thread) => firstMessages.get(thread)));
  await new Promise((resolve) => setImmediate(resolve));
}
