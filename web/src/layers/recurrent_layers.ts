// SPDX-License-Identifier: MIT
// `layers` of the entry maskflow/recurrent.
export * as layers from './recurrent_factories.js';
