// SPDX-License-Identifier: MIT
import type { Kind } from './protocol.js';
import { startFirst } from './first.js';

/** The script of a worker, beside the page. The first one may have been started before this script came. */
export function engineScript(kind: Kind): Worker {
  if (kind !== 'recurrent')
    return new Worker(new URL(`engine/${kind}.mjs`, document.baseURI), { type: 'module' });
  const first = window.firstEngine ?? startFirst();
  window.firstEngine = undefined;
  return first;
}

/** A served page fetches its models. */
export const files: (() => { [name: string]: Uint8Array }) | undefined = undefined;
