// SPDX-License-Identifier: MIT
import { StateError, UnsupportedError } from '../base/errors.js';
import type { WorkerPredict } from '../worker/predict_in_workers.js';

/**
 * Calls the entry maskflow/worker beside this one. In Node only, and invisible to bundlers for
 * pages.
 */
export const predictInWorkers: WorkerPredict = async (...args) => {
  const { process } = globalThis as { process?: { getBuiltinModule?: unknown } };
  if (!process?.getBuiltinModule) {
    throw new UnsupportedError(
      "predict with 'workers' needs Node 20.16 or newer; on a page use openPool() of 'maskflow/worker'",
    );
  }
  return (await beside('./worker')).predictInWorkers(...args);
};

async function beside(path: string): Promise<{ predictInWorkers: WorkerPredict }> {
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ path + MODULE_EXTENSION);
  } catch (error) {
    throw new StateError(
      `the files of 'maskflow/worker' are not beside this program's (${(error as Error).message}); do not bundle maskflow, or use openPool({ worker })`,
    );
  }
}
