// SPDX-License-Identifier: MIT
// (Without the classes of errors: this is in a chunk that entries share, and would wait for one more.)

/** What engines and webpack say of a file that `import()` cannot have. */
const lost = /imported module|Importing a module|^Loading chunk/;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/** What to say of a file that the network lost; undefined for other errors. */
export function lostFile(error: unknown): string | undefined {
  const what = messageOf(error);
  if (!lost.test(what)) return undefined;
  return `a file of the package cannot be fetched (${what}); call again, in Firefox after loading the page anew`;
}

/** What to say in a service worker, which has no `import()`; undefined elsewhere. */
export function withoutImport(error: unknown): string | undefined {
  const what = messageOf(error);
  if (!('ServiceWorkerGlobalScope' in globalThis) || !/import/i.test(what)) return undefined;
  if (!(error instanceof TypeError)) return undefined;
  return `a service worker has no import() (${what}); import from 'maskflow/single', or call importScripts('maskflow.iife.js')`;
}
