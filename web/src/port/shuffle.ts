// SPDX-License-Identifier: MIT
// Lists that a program shuffles in their place.
import { Absent } from './absent.js';
import type { Arg, Call } from './ast.js';
import { type Code, called, type Port } from './context.js';
import { isTensor, none } from './types.js';

/** `random.shuffle(items)`. */
export function shuffled(port: Port, call: Call): Code {
  const value = port.expr((call.args[0] as Arg).value);
  if (isTensor(value.type)) {
    throw new Absent('absent', call.at, 'tensors do not change; write x = random.shuffle(x)');
  }
  port.note(call.at, 'random', 'random numbers differ from those of Python');
  return called([`${port.helper('shuffleList')}(`, value.doc, ')'], none);
}
