// SPDX-License-Identifier: MIT
import type { Slices } from '../tensor/methods.gen.js';

export * from './control_flow.js';
export * from './more_ops.gen.js';
export * from './ops.gen.js';
// In place of the generated function, whose arguments would be one list.
export { select } from './select.js';
/** Per axis: an index, a slice, null for a new axis, or '...' for the axes between. */
// Declared here, because the bundler of declarations takes types from other files for values.
export type SliceKey = Slices;
