// SPDX-License-Identifier: MIT
import { UnsupportedError } from './errors.js';

/** A service worker has no `import()`, by which the wasm and the readers are fetched. */
export function adviseServiceWorker(error: unknown): never {
  if (
    error instanceof TypeError &&
    'ServiceWorkerGlobalScope' in globalThis &&
    /import/i.test(error.message)
  ) {
    throw new UnsupportedError(
      `a service worker fetches no modules while it runs (${error.message}); import from 'maskflow/single', which is one file, or call importScripts('maskflow.iife.js')`,
    );
  }
  throw error;
}
