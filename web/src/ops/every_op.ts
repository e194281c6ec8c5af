// SPDX-License-Identifier: MIT
export * from './control_flow.js';
export * from './more_ops.gen.js';
export * from './ops.gen.js';
// In place of the generated function, whose arguments would be one list.
export { select } from './select.js';
