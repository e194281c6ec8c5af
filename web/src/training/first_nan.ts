// SPDX-License-Identifier: MIT
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
