// SPDX-License-Identifier: MIT
// One object for all entries: a list of a hundred names in each of them would cost more than the ops.
export * as ops from './ops.gen.js';
