// SPDX-License-Identifier: MIT
// The ops of the entries with all layers.
export * as ops from './every_op.js';
