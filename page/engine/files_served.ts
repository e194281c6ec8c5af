// SPDX-License-Identifier: MIT
// Where a served page gets its workers and models. files_embedded.ts replaces it for a page opened
// from a folder.
import type { Kind } from './protocol.js';
import { fetchFile, fetchScript } from './fetch_files.js';
import { startFirst } from './first.js';
import type { FileName } from './names.js';

/** Address of the folder with the models and the engines. */
export const top = (): string => new URL('.', document.baseURI).href;

/** Returns the worker of the first chapter; starts it unless it runs already. */
export function firstWorker(): Worker | undefined {
  const first = window.firstEngine ?? startFirst();
  window.firstEngine = undefined;
  return first;
}

export const engineScript = (kind: Kind): Promise<string> => fetchScript(top(), kind);

/** The script of the worker that translates Python programs. */
export const portScript = (): Promise<string> => fetchScript(top(), 'port');

export const readFile = (name: FileName): Promise<Uint8Array> => fetchFile(top(), name);
