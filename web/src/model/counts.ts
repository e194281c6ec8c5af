// SPDX-License-Identifier: MIT
// Decides whether a list is one input or several: only a model with a graph knows its inputs.
import { native, unwrap } from '../engine/engine.js';
import type { NativeLayer } from '../engine/native.js';
import type { BuiltFor } from '../layers/layer_config.js';
import { freeTensors } from '../tensor/tensor.js';

/** A model, with the input shapes of its first call. */
interface Counted {
  readonly handle: NativeLayer;
  readonly builtFor: BuiltFor | null;
}

/** Numbers of outputs of models that returned a list. */
const lists = new WeakMap<object, number>();

/** Remembers the number of outputs of a custom model from a call. */
export function noticeOutputs(model: object, outputs: unknown): void {
  if (Array.isArray(outputs)) lists.set(model, outputs.length);
}

/** Returns the numbers of inputs and outputs of a model; 1 if they are not known. */
export function countsOf(model: Counted): { inputs: number; outputs: number } {
  const { handle, builtFor } = model;
  if (!unwrap(native().modelHasGraph(handle))) {
    // A custom model knows them from a call.
    const isList = Array.isArray(builtFor) && Array.isArray(builtFor[0]);
    return { inputs: isList ? builtFor.length : 1, outputs: lists.get(model) ?? 1 };
  }
  const { inputs, outputs } = unwrap(native().modelSymbols(handle));
  freeTensors(inputs, outputs);
  return { inputs: inputs.length, outputs: outputs.length };
}
