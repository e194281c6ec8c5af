// SPDX-License-Identifier: MIT
// The service for losses of layers: `addLoss`, and regularizers of activities and weights.
// maskflow/recurrent does without it; training/layer_losses.ts implements it.
import { Service } from '../base/service.js';
import { native, unwrap } from '../engine/engine.js';
import type { NativeArgs, NativeLayer, NativeResult } from '../engine/native.js';
import type { Tensor } from '../tensor/tensor.js';
import { compute } from './user_code.js';

interface Owner {
  readonly handle: NativeLayer;
}

/** Losses that layers add in `call`. */
export interface AddedLosses {
  /** Called before user code calls a layer. */
  begin(layer: Owner): void;
  /** Calls a layer with activity regularizers; null if the caller calls it. */
  apply(layer: Owner, args: NativeArgs): NativeResult | null;
  /** Called after a prediction in batches of this size: losses of its last batch stay. */
  end(layer: Owner, outputs: unknown, size: number): void;
  /** Adds losses to those of the layer. */
  add(layer: Owner, losses: unknown): void;
  /** Frees the losses of a layer that is disposed of. */
  forget(layer: object): void;
  /** Returns the losses of the last call, and the penalties of weights. */
  of(layer: Owner): Tensor[];
}

export const addedLosses = new Service<AddedLosses>(
  "losses of layers are in 'maskflow'; import from there instead",
);

/** Calls a layer. `isPlan`: only to find out shapes, or to record a node of a graph. */
export function callLayer(layer: Owner, args: NativeArgs, isPlan: boolean): NativeResult {
  const run = () => unwrap(native().layerApply(layer.handle, args));
  return isPlan ? run() : compute(() => addedLosses.supplied?.apply(layer, args) ?? run());
}

/** Ends a prediction and returns its outputs. */
export function endPrediction<T>(layer: Owner, outputs: T, size: number): T {
  addedLosses.supplied?.end(layer, outputs, size);
  return outputs;
}
