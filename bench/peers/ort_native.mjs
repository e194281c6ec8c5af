// SPDX-License-Identifier: MIT
// ONNX Runtime as machine code, on one thread: what a page cannot have, beside what it can.
import { arch, platform } from 'node:os';
import { preparing } from './onnx_runtime.mjs';

export { refuses } from './onnx_runtime.mjs';

export const name = 'onnxruntime-node';

const options = {
  executionProviders: ['cpu'],
  graphOptimizationLevel: 'all',
  executionMode: 'sequential',
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
};

let prepared;

/** Its version; an error with the reason where its binary cannot be had. */
export async function start() {
  const ort = await import('onnxruntime-node').catch((error) => {
    const [line] = String(error.message).split('\n');
    throw new Error(`onnxruntime-node does not run on ${platform()} ${arch()}: ${line}`);
  });
  prepared = preparing(ort.default ?? ort, options);
  return (ort.default ?? ort).env.versions.node;
}

export const prepare = (workload) => prepared(workload);
