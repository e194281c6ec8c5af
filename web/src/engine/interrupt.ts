// SPDX-License-Identifier: MIT
// Lets a limit of time or a signal end long calls of the core.

let current: (() => void) | undefined;

/** Runs a call of the core that ends if `check` throws; the core calls it from time to time. */
export function interruptible<R>(check: () => void, run: () => R): R {
  const before = current;
  current = check;
  try {
    return run();
  } finally {
    current = before;
  }
}

/** Throws if the running call must end. */
export const checkWork = (): undefined => {
  current?.();
};
