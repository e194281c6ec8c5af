// SPDX-License-Identifier: MIT
// The bundler makes an object of this namespace, whose functions have their names.
export * as callbacks from './callbacks.js';
