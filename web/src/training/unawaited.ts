// SPDX-License-Identifier: MIT
// A warning for programs that use a model right after a `fit` that they do not await.
import { warn } from '../base/visible.js';
import type { Layer } from '../layers/layer.js';

/** Methods whose result depends on weights that the next batch changes. */
const readers = ['predict', 'predictAsync', 'evaluate', 'save', 'getWeights'] as const;

type Method = (...args: unknown[]) => unknown;

/**
 * Calls `begin`, and warns if the program uses the weights of `model` before the promise that it
 * returns could be awaited. Callbacks may use them: they run inside `begin`, or in a later task.
 */
export function watchUntilAwaited<T>(model: Layer, begin: () => Promise<T>): Promise<T> {
  const target = model as unknown as { [name: string]: Method };
  const watched = readers.filter((name) => name in target && !Object.hasOwn(target, name));
  const release = () => {
    // The latest first: V8 makes an object slow for good if another property is deleted.
    for (const name of [...watched].reverse()) delete target[name];
  };
  // Before `begin`, so that it comes before everything that continues after an await there.
  queueMicrotask(release);
  const training = begin();
  for (const name of watched) {
    target[name] = (...args) => {
      release();
      warn(`${name}() runs before the first batch of fit(): write await model.fit(…)`);
      return target[name]?.(...args);
    };
  }
  return training;
}
