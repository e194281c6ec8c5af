// SPDX-License-Identifier: MIT
// Waiting with an AbortSignal: for batches that arrive late, callbacks, and starts of the core, of
// its threads and of workers.

/**
 * Returns a promise with the result of `promise`. If a signal fires first, it calls `onAbort` and
 * rejects with the signal's reason.
 */
export function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  onAbort?: () => void,
): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      onAbort?.();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort);
    promise.finally(() => signal.removeEventListener('abort', abort)).then(resolve, reject);
  });
}
