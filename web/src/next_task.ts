// SPDX-License-Identifier: MIT

/** A task later: messages, timers and events that came meanwhile have been heard. Timers of pages would wait for milliseconds. */
export function nextTask(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: (done: () => void) => void };
  return new Promise((done) => {
    if (setImmediate) {
      setImmediate(done);
      return;
    }
    if (typeof MessageChannel === 'undefined') {
      setTimeout(done);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}
