// SPDX-License-Identifier: MIT

/**
 * Returns a promise with the result of `promise`. If the signal fires first, it calls `onAbort` and
 * rejects with the signal's reason.
 */
export function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  onAbort?: () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      onAbort?.();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort);
    promise.finally(() => signal.removeEventListener('abort', abort)).then(resolve, reject);
  });
}
