// SPDX-License-Identifier: MIT
// Functions that stand for Keras's classes. Keras also accepts a class where it needs an object:
// `kernelRegularizer: regularizers.l2`, `metrics: [metrics.meanAbsoluteError]`.

const makers = new WeakSet<object>();

/** Marks a function that returns an object without arguments. */
export function maker<F extends object>(f: F): F {
  makers.add(f);
  return f;
}

/** Returns the object that an uncalled {@link maker} stands for, and other values as they are. */
export const made = (value: unknown): unknown =>
  makers.has(value as object) ? (value as () => unknown)() : value;
