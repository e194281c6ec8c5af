// SPDX-License-Identifier: MIT
// The import of a chunk that the build writes. It is the last resort for `openWorker`.

/** The text of the script of the package's workers, whose beginning `shared` all of them share. */
export const workerChunk = (): Promise<{ shared: string; default: string }> =>
  import('./chunks/worker_script.js');
