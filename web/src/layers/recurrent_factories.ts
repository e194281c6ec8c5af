// SPDX-License-Identifier: MIT
// A function for each layer of maskflow/recurrent.
export { lambda } from './lambda.js';
export * from './recurrent_factories.gen.js';
