// SPDX-License-Identifier: MIT

/** The promise, unless the signal fires before: then `onAbort` runs and the result is the signal's reason. */
export function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  onAbort?: () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      onAbort?.();
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop);
    promise.finally(() => signal.removeEventListener('abort', stop)).then(resolve, reject);
  });
}
