// SPDX-License-Identifier: MIT
// All ops of maskflow in one place, from which all_ops.ts and all_ops_object.ts make `ops`.
import type { Slices } from '../tensor/methods.gen.js';

export * from './more_ops.js';
export * from './ops.gen.js';
/** Per axis: an index, a slice, null for a new axis, or '...' for the axes between. */
// Declared here, because the bundler of declarations takes types from other files for values.
export type SliceKey = Slices;
