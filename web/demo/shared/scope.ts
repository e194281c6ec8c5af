// SPDX-License-Identifier: MIT
import { tidy } from 'maskflow';

interface Disposable {
  dispose(): void;
}

/** Marks a layer or model to be given back when the drawing is done; tensors are without asking. */
export type Own = <T extends Disposable>(made: T) => T;

/**
 * Runs one drawing and gives back all it made. A page that recomputes on every key press should not
 * leave its memory to the garbage collector.
 */
export function withScope<R>(body: (own: Own) => R): R {
  const kept: Disposable[] = [];
  const own: Own = (made) => {
    kept.push(made);
    return made;
  };
  try {
    return tidy(() => body(own));
  } finally {
    for (const each of kept.reverse()) each.dispose();
  }
}
