// SPDX-License-Identifier: MIT
import { native, unwrap } from '../engine/engine.js';
import { CallArguments } from '../layers/args.js';
import { warningOnce } from '../layers/host.js';
import type { Compiled } from './compiled.js';
import { type Structure, inputsOf } from './data.js';

/**
 * Returns the name of the first layer whose output for these inputs has a NaN; null without a NaN.
 */
export function firstNaN({ model, warned }: Compiled, inputs: Structure): string | null {
  const args = new CallArguments(model, inputsOf(inputs), { training: true });
  try {
    const run = () => unwrap(native().firstNan(model.handle, args.native));
    return warningOnce(warned, run) || null;
  } finally {
    args.dispose();
  }
}
