// SPDX-License-Identifier: MIT
// Pauses of long work in JavaScript: reading files, training and workers let other tasks run.

type Later = (done: () => void) => void;

const schedulers: Later[] = [
  (done) => (globalThis as unknown as { setImmediate: Later }).setImmediate(done),
  (done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  },
  (done) => setTimeout(done),
];

/**
 * Waits for the next task, so that pending messages, timers and events are handled first. Avoids
 * timers, which on pages wait for milliseconds.
 */
export function nextTask(): Promise<void> {
  return new Promise((done) => {
    for (const schedule of schedulers) {
      // Tries the function first: in sandboxes, some exist but throw when they are called.
      try {
        schedule(done);
        return;
      } catch {}
    }
  });
}
