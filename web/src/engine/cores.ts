// SPDX-License-Identifier: MIT
// The default for numbers of threads and of workers.
import { nodeModule } from './node_module.js';

/** Number of threads that the machine runs at a time; 4 if the engine does not tell. */
export function cores(): number {
  const { navigator } = globalThis as { navigator?: { hardwareConcurrency?: number } };
  const os = nodeModule<{ availableParallelism(): number }>('node:os');
  return os?.availableParallelism() ?? navigator?.hardwareConcurrency ?? 4;
}
