// SPDX-License-Identifier: MIT
// The ops of maskflow. In scripts, the bundler replaces this file by all_ops_object.ts.
export * as ops from './every_op.js';
