// SPDX-License-Identifier: MIT
// The type of functions that create recurrent layers.
import type { CallOptions, LayerInputs, SymbolicInputs } from './args.js';
import type { Layer } from './layer.js';
import type { SymbolicTensor, Tensor } from '../tensor/tensor.js';

/** Creates a layer whose `apply` returns [output, …states] if `returnState` is set. */
export interface WithStates<C, L extends Layer> {
  /** With `returnState: true`, `apply` returns the output and the states. */
  (
    config: C & { returnState: true },
  ): {
    apply(inputs: LayerInputs, options?: CallOptions): Tensor[];
    apply(inputs: SymbolicInputs, options?: CallOptions): SymbolicTensor[];
  } & L;
  /** Otherwise `apply` returns what the class `L` declares. */
  (config: C): L;
}
