// SPDX-License-Identifier: MIT
// `layers` of maskflow/train. In scripts, the bundler replaces this file by train_layers_object.ts.
export * as layers from './every_training_layer.js';
