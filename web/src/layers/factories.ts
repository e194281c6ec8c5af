// SPDX-License-Identifier: MIT
// A function for each layer: `layers.lstm({ units: 32 })` is `new LSTM({ units: 32 })`.
export * from './more_factories.js';
export * from './recurrent_factories.js';
