// SPDX-License-Identifier: MIT
// onnxruntime-web with one thread, as one of the peers.
import * as ort from 'onnxruntime-web';
import { preparing } from './onnx_runtime.mjs';

export { refuses } from './onnx_runtime.mjs';

export const name = 'onnxruntime-web';

/** Returns the function that prepares workloads with `threads` threads, for all of this process. */
export function preparedWeb(threads) {
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  return preparing(ort, { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
}

export const prepare = preparedWeb(1);

export const start = () => ort.env.versions.web;
