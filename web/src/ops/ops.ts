// SPDX-License-Identifier: MIT
// One object for all entries: a list of 100 names in each entry would cost more bytes than the ops.
export * as ops from './ops.gen.js';
