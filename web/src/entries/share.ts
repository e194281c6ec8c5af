// SPDX-License-Identifier: MIT
// Implements the service behind the option `workers` of `predict`. The single script and workers
// lack it.
import type { PredictInWorkers } from '../model/services.js';

/** `predict` with `workers`. The code of workers is fetched at the first call. */
export const predictInWorkers: PredictInWorkers = async (...args) => {
  const { predictInWorkers: predict } = await import('../worker/predict_in_workers.js');
  return predict(...args);
};
