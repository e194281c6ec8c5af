// SPDX-License-Identifier: MIT
import { verify as compare } from '../src/index.js';
import { numberOf, type Values } from './arguments.js';
import { readBytes } from './files.js';
import { openModel } from './model.js';
import { exitCodes, UsageError } from './usage.js';

/** `maskflow verify`: the exit code says whether all outputs agree. */
export async function verify(path: string, recorded: string, values: Values): Promise<number> {
  if (path === '-' && recorded === '-') {
    throw new UsageError('model and recording cannot both come from standard input');
  }
  const options = {
    absolute: numberOf(values, 'absolute', 1e-5),
    relative: numberOf(values, 'relative', 1e-5),
    ignoreMasked: values['ignore-masked'] ?? false,
  };
  const model = await openModel(path);
  const result = await compare(model, readBytes(recorded), options);
  console.log(`${result}\n${result.passed ? 'agrees' : 'DIFFERS'}`);
  return result.passed ? exitCodes.fine : exitCodes.differs;
}
