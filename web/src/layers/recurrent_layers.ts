// SPDX-License-Identifier: MIT
// `layers` of the entry maskflow/recurrent. In scripts, the bundler replaces this file by
// recurrent_layers_object.ts.
export * as layers from './recurrent_factories.js';
