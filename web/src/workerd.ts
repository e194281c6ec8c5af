// SPDX-License-Identifier: MIT
// The entry for workerd (Cloudflare's workers), which cannot compile WebAssembly at run time. The
// wasm is a module of the program.
import wasm from './maskflow-simd.wasm';
import type { Model } from './model/model.js';
import {
  type LoadOptions,
  type ModelSource,
  type ReadyOptions,
  loadModel as load,
  ready as start,
} from './index.js';

export * from './index.js';

/** Starts the wasm that is a module of the program; see `ready` of maskflow. */
export const ready = (options: ReadyOptions = {}): Promise<void> => start({ wasm, ...options });

/** Calls `ready`, then loads a model; see `loadModel` of maskflow. */
export async function loadModel(source: ModelSource, options?: LoadOptions): Promise<Model> {
  await ready();
  return load(source, options);
}
