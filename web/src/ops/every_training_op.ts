// SPDX-License-Identifier: MIT
import type { Slices } from '../tensor/methods.gen.js';

export * from './every_op.js';
export * from './training_ops.js';
/** Per axis: an index, a slice, null for a new axis, or '...' for the axes between. */
// Declared here, because the bundler of declarations takes types from other files for values.
export type SliceKey = Slices;
