// SPDX-License-Identifier: MIT
// `layers` of the entry maskflow/recurrent.
export { lambda } from './lambda.js';
export * from './recurrent_factories.gen.js';
