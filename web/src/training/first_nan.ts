// SPDX-License-Identifier: MIT
// The search behind the option `onNaN` of `fit`. step.ts calls it after a loss was NaN, because it
// runs the model again.
import { native, unwrap } from '../engine/engine.js';
import { CallArguments } from '../layers/args.js';
import type { Compiled } from './compiled.js';
import { type Structure, inputsOf } from './data.js';

/**
 * Returns the name of the first layer whose output for these inputs has a NaN; null without a NaN.
 */
export function firstNaN({ model }: Compiled, inputs: Structure): string | null {
  const args = new CallArguments(model, inputsOf(inputs), { training: true });
  try {
    return unwrap(native().firstNan(model.handle, args.native)) || null;
  } finally {
    args.dispose();
  }
}
