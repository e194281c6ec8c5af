// SPDX-License-Identifier: MIT
// The ops that maskflow/train has beyond those of maskflow.
export * from './training_ops.gen.js';
// In place of the generated function, whose arguments would be one list.
export { select } from './select.js';
export * from './more_control_flow.js';
export * from './eager_ops.js';
export { rearrange } from './rearrange.js';
