// SPDX-License-Identifier: MIT
// A function for each layer: `layers.lstm({ units: 32 })` is `new LSTM({ units: 32 })`.
export { lambda } from './lambda.js';
export * from './more_factories.gen.js';
export {
  /** Same as {@link leakyReLU}. */
  leakyReLU as leakyRelu,
  /** Same as {@link pReLU}. */
  pReLU as prelu,
  /** Same as {@link reLU}. */
  reLU as relu,
} from './more_factories.gen.js';
export * from './recurrent_factories.gen.js';
