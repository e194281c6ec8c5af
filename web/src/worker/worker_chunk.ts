// SPDX-License-Identifier: MIT
// The import of a chunk that the build writes. It is the last resort for `openWorker`.

/** The script of the package's workers as text. */
export const workerChunk = (): Promise<{ default: string }> => import('./chunks/worker_script.js');
