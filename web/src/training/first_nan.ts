// SPDX-License-Identifier: MIT
import { native, unwrap } from '../engine/engine.js';
import { CallArguments } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import { type Given, inputsOf } from './data.js';

/** The name of the layer that is the first to make a NaN of these inputs; null where none does. */
export function firstNaN(model: Layer, inputs: Given): string | null {
  const args = new CallArguments(inputsOf(inputs), { training: true }, model.argumentNames);
  try {
    return unwrap(native().firstNan(model.handle, args.native)) || null;
  } finally {
    args.dispose();
  }
}
