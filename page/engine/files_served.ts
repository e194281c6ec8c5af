// SPDX-License-Identifier: MIT
import type { Kind } from './protocol.js';
import { startFirst } from './first.js';

/** Starts a worker from its script beside the page, or returns the first one if it runs already. */
export function engineScript(kind: Kind): Worker {
  if (kind !== 'recurrent')
    return new Worker(new URL(`engine/${kind}.mjs`, document.baseURI), { type: 'module' });
  const first = window.firstEngine ?? startFirst();
  window.firstEngine = undefined;
  return first;
}

/** Undefined, since a served page fetches its models. */
export const files: (() => { [name: string]: Uint8Array }) | undefined = undefined;
