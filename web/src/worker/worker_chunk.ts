// SPDX-License-Identifier: MIT

/** The script of the package's workers as text. */
export const workerChunk = (): Promise<{ default: string }> => import('./chunks/worker_script.js');
