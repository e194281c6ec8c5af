// SPDX-License-Identifier: MIT
// ONNX Runtime as machine code, which pages cannot run, for comparison.
import { arch, platform } from 'node:os';
import { preparing } from './onnx_runtime.mjs';

export { refuses } from './onnx_runtime.mjs';

export const name = 'onnxruntime-node';

const optionsOf = (threads) => ({
  executionProviders: ['cpu'],
  graphOptimizationLevel: 'all',
  executionMode: 'sequential',
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
});

let prepared;

/** Reasons why the binary is missing, without paths, because docs/performance.md shows them. */
const reasons = {
  ERR_MODULE_NOT_FOUND: 'it is not installed',
  MODULE_NOT_FOUND: 'its package has no binary for',
  ERR_DLOPEN_FAILED: 'its binary cannot be loaded on',
};

async function load() {
  const ort = await import('onnxruntime-node').catch(({ code, message }) => {
    const reason = reasons[code] ?? `${message.split('\n')[0]}, on`;
    throw new Error(reason.endsWith('installed') ? reason : `${reason} ${platform()} ${arch()}`);
  });
  return ort.default ?? ort;
}

/** Returns the function that prepares workloads with `threads` threads. */
export const preparedNative = async (threads) => preparing(await load(), optionsOf(threads));

/** Starts the package and returns its version. Throws the reason if its binary is not available. */
export async function start() {
  prepared = await preparedNative(1);
  return (await load()).env.versions.node;
}

export const prepare = (workload) => prepared(workload);
