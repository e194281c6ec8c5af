// SPDX-License-Identifier: MIT
// onnxruntime-web with one thread, as one of the peers.
import * as ort from 'onnxruntime-web';
import { preparing } from './onnx_runtime.mjs';

export { refuses } from './onnx_runtime.mjs';

export const name = 'onnxruntime-web';

export async function start() {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  return ort.env.versions.web;
}

export const prepare = preparing(ort, {
  executionProviders: ['wasm'],
  graphOptimizationLevel: 'all',
});
