// SPDX-License-Identifier: MIT
// A custom worker whose wasm traps in its first prediction on request.
import { workerData } from 'node:worker_threads';
import { loadModel, ready } from '../../dist/index.js';
import { serve } from '../../dist/worker.js';
import { trappingWasm } from './trapping_wasm.js';

serve({
  ready: (options) =>
    ready(
      workerData.traps
        ? { ...options, wasm: trappingWasm('predict_one_at'), variant: 'simd' }
        : options,
    ),
  loadModel,
});
