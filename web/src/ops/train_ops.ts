// SPDX-License-Identifier: MIT
// The ops of maskflow/train. In scripts, the bundler replaces this file by train_ops_object.ts.
export * as ops from './every_training_op.js';
