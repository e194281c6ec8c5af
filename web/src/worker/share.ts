// SPDX-License-Identifier: MIT
// The option `workers` of `predict`, which maskflow/worker supplies: bundlers then put the code of
// workers only into programs that import it.
import type { PredictInWorkers } from '../model/services.js';

/** `predict` with `workers`. The code of workers is fetched at the first call. */
export const predictInWorkers: PredictInWorkers = async (...args) => {
  const { predictInWorkers: predict } = await import('./predict_in_workers.js');
  return predict(...args);
};
