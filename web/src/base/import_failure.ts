// SPDX-License-Identifier: MIT
// Does not import the error classes: the entries share this chunk, and it would wait for one more.

/** Messages of engines and webpack about a file that `import()` could not fetch. */
const fetchFailure = /imported module|Importing a module|^Loading chunk/;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/** Returns the message for a file that could not be fetched; undefined for other errors. */
export function lostFile(error: unknown): string | undefined {
  const what = messageOf(error);
  if (!fetchFailure.test(what)) return undefined;
  return `a file of the package cannot be fetched (${what}); retry; in Firefox, reload the page first`;
}

/** Returns the message for a service worker, which has no `import()`; undefined elsewhere. */
export function withoutImport(error: unknown): string | undefined {
  const what = messageOf(error);
  if (!('ServiceWorkerGlobalScope' in globalThis) || !/import/i.test(what)) return undefined;
  if (!(error instanceof TypeError)) return undefined;
  return `a service worker has no import() (${what}); import from 'maskflow/single', or call importScripts('maskflow.iife.js')`;
}
