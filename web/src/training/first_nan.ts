// SPDX-License-Identifier: MIT
import { native, unwrap } from '../engine/engine.js';
import { CallArguments } from '../layers/args.js';
import { warningOnce } from '../layers/host.js';
import type { Compiled } from './compiled.js';
import { type Given, inputsOf } from './data.js';

/** The name of the layer that is the first to make a NaN of these inputs; null where none does. */
export function firstNaN({ model, warned }: Compiled, inputs: Given): string | null {
  const args = new CallArguments(inputsOf(inputs), { training: true }, model.argumentNames);
  try {
    const run = () => unwrap(native().firstNan(model.handle, args.native));
    return warningOnce(warned, run) || null;
  } finally {
    args.dispose();
  }
}
