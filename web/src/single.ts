// SPDX-License-Identifier: MIT
/**
 * `maskflow` in one file without `import()`: for service workers and worklets, and for workers that
 * a bundler builds as one file. It contains the wasm of the variant 'simd', but neither
 * `maskflow/text` nor workers.
 *
 * @module maskflow/single
 */
export * from './index.js';
export { loadModel, ready } from './entries/single_ready.js';
export { serve } from './worker/serve.js';
