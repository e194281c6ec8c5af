// SPDX-License-Identifier: MIT
// The main entry where it is one script with one wasm in it: the global `maskflow`.
export * from './index.js';
export { loadModel, ready } from './global_ready.js';
