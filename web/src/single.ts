// SPDX-License-Identifier: MIT
/**
 * `maskflow` in one file, which imports nothing while it runs: for service workers and worklets, and for workers of your own where the bundler makes one file
 * of each. The wasm of the variant 'simd' is inside; `maskflow/text` and workers are not.
 *
 * @module maskflow/single
 */
export * from './index.js';
export { loadModel, ready } from './entries/single_ready.js';
export { serve } from './worker/serve.js';
