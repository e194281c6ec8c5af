// SPDX-License-Identifier: MIT
// All ops of maskflow/train in one place, from which train_ops.ts and train_ops_object.ts make
// `ops`.
import type { Slices } from '../tensor/methods.gen.js';

export * from './every_op.js';
export * from './training_ops.js';
/** Per axis: an index, a slice, null for a new axis, or '...' for the axes between. */
// Declared here, because the bundler of declarations takes types from other files for values.
export type SliceKey = Slices;
