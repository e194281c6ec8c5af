// SPDX-License-Identifier: MIT

type Later = (done: () => void) => void;

const ways: Later[] = [
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

/** A task later: messages, timers and events that came meanwhile have been heard. Timers of pages would wait for milliseconds. */
export function nextTask(): Promise<void> {
  return new Promise((done) => {
    for (const way of ways) {
      // Sandboxes have something in these places that throws where it is called.
      try {
        way(done);
        return;
      } catch {}
    }
  });
}
