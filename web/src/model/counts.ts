// SPDX-License-Identifier: MIT
// Decides whether a list is one input or several: only a model with a graph knows its inputs.
import { native, unwrap } from '../engine/engine.js';
import type { NativeLayer } from '../engine/native.js';
import { freeTensors } from '../tensor/tensor.js';

/** Returns the numbers of inputs and outputs of a model; 1 if they are not known. */
export function countsOf({ handle }: { readonly handle: NativeLayer }): {
  inputs: number;
  outputs: number;
} {
  if (!unwrap(native().modelHasGraph(handle))) return { inputs: 1, outputs: 1 };
  const { inputs, outputs } = unwrap(native().modelSymbols(handle));
  freeTensors(inputs, outputs);
  return { inputs: inputs.length, outputs: outputs.length };
}
