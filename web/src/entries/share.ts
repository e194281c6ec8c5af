// SPDX-License-Identifier: MIT
import type { PredictInWorkers } from '../model/services.js';

/** `predict` with `workers`. The code of workers is fetched at the first call. */
export const predictInWorkers: PredictInWorkers = async (...args) => {
  const { predictInWorkers: predict } = await import('../worker/predict_in_workers.js');
  return predict(...args);
};
