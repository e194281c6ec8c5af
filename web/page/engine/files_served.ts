// SPDX-License-Identifier: MIT
import type { Kind } from './protocol.js';

/** The script of a worker, beside the page. */
export const engineScript = (kind: Kind): Worker =>
  new Worker(new URL(`engine/${kind}.mjs`, document.baseURI), { type: 'module' });

/** A served page fetches its models. */
export const files: (() => { [name: string]: Uint8Array }) | undefined = undefined;
