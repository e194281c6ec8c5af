// SPDX-License-Identifier: MIT
// The functions that maskflow has beyond those of maskflow/recurrent.
export * from './more_factories.gen.js';
export {
  /** Same as {@link leakyReLU}. */
  leakyReLU as leakyRelu,
  /** Same as {@link pReLU}. */
  pReLU as prelu,
  /** Same as {@link reLU}. */
  reLU as relu,
} from './more_factories.gen.js';
