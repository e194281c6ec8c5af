// SPDX-License-Identifier: MIT
// `layers` of maskflow. In scripts, the bundler replaces this file by all_layers_object.ts.
export * as layers from './factories.js';
