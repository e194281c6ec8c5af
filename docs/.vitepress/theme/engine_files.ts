// SPDX-License-Identifier: MIT
// Where the docs find the page's engine (the page has a file of its own for this).
import { withBase } from 'vitepress';
import type { Kind } from '../../../page/engine/protocol.js';

/** The top of the site: the page. */
export const top = (): URL => new URL(withBase('/../'), location.href);

export const engineScript = (kind: Kind): Worker =>
  new Worker(new URL(`engine/${kind}.mjs`, top()), { type: 'module' });

export const files: (() => { [name: string]: Uint8Array }) | undefined = undefined;
