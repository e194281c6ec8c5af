// SPDX-License-Identifier: MIT
// Where the docs find the page's engine (the page has a file of its own for this).
import { withBase } from 'vitepress';
import { fetchFile, fetchScript } from '../../../page/engine/fetch_files.js';
import type { FileName } from '../../../page/engine/names.js';
import type { Kind } from '../../../page/engine/protocol.js';

/** Address of the top of the site: the page. */
export const top = (): string => new URL(withBase('/../'), location.href).href;

/** Undefined: all programs of the docs run in a frame. */
export const firstWorker = (): Worker | undefined => undefined;

export const engineScript = (kind: Kind): Promise<string> => fetchScript(top(), kind);

export const readFile = (name: FileName): Promise<Uint8Array> => fetchFile(top(), name);
