// SPDX-License-Identifier: MIT
// A function for each layer of maskflow/train.
export * from './factories.js';
export * from './training_factories.gen.js';
