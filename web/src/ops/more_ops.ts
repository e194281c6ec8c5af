// SPDX-License-Identifier: MIT
// The ops that maskflow has beyond those of maskflow/recurrent.
export * from './control_flow.js';
export * from './more_ops.gen.js';
