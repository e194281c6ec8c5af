// SPDX-License-Identifier: MIT
import type { LayerOutputs } from '../layers/args.js';
import { refuse } from '../base/check.js';
import { runtimeInfo } from '../engine/runtime.js';
import type { Savable } from '../model/services.js';
import { toCall, type WorkerCallOptions } from './inputs.js';
import { openPool, type WorkerPool } from './pool.js';
import { fromTree, WorkerTensor } from './worker_tensor.js';

/** `Model.predict` with `workers`. */
export type WorkerPredict = (
  model: Savable,
  inputs: unknown,
  options: WorkerCallOptions & { workers: number },
) => Promise<LayerOutputs>;

/** Pools by size and settings. Idle workers do not keep a program running. */
const pools = new Map<string, Promise<WorkerPool>>();

function poolOf(size: number): Promise<WorkerPool> {
  if (!Number.isInteger(size) || size < 1 || size > 64) {
    refuse('workers', 'an integer from 1 to 64', size);
  }
  const { variant, onMaskDropped } = runtimeInfo();
  const key = `${size} ${variant} ${onMaskDropped}`;
  const pool = pools.get(key) ?? openPool({ size, variant, onMaskDropped, queue: 1_000_000 });
  pools.set(key, pool);
  pool.catch(() => pools.delete(key));
  return pool;
}

/** @internal */
export const predictInWorkers: WorkerPredict = async (model, inputs, { workers, ...options }) => {
  const { signal, timeLimit } = options;
  const call = toCall(inputs, options);
  const [pool, file] = await Promise.all([
    poolOf(workers),
    model.save(undefined, { includeOptimizer: false }),
  ]);
  const shared = await pool.loadModel(file, signal ? { signal } : {});
  try {
    return toTensors(fromTree(await shared.predictCall(call, { signal, timeLimit })));
  } finally {
    shared.dispose();
  }
};

function toTensors(outputs: ReturnType<typeof fromTree>): LayerOutputs {
  if (outputs instanceof WorkerTensor) return outputs.toTensor();
  if (Array.isArray(outputs)) return outputs.map((output) => output.toTensor());
  return Object.fromEntries(
    Object.entries(outputs).map(([name, output]) => [name, output.toTensor()]),
  );
}
