// SPDX-License-Identifier: MIT
import type { Budget } from '../open/budget.js';
import { opcodes, unknownOpcode } from './opcodes.js';
import { PickleReader, type Resolve } from './pickle_reader.js';

const kStop = 0x2e;

/**
 * Reads a pickle from a position on, and returns its value and its end. It runs nothing: classes
 * and functions are names, and the calls that become values are in a list. Throws FormatError for a
 * damaged pickle, an unknown opcode, or a call that is not in the list.
 */
export function readPickle(
  file: Uint8Array,
  start: number,
  budget: Budget,
  resolve: Resolve,
): { value: unknown; end: number } {
  const reader = new PickleReader(file, start, budget, resolve);
  for (;;) {
    const { at } = reader;
    const code = reader.uint(1);
    if (code === kStop) return { value: reader.pop(1)[0], end: reader.at };
    budget.spend('nodes', 1, 'the pickle');
    const step = opcodes[code];
    if (!step) throw unknownOpcode(code, at);
    step(reader);
  }
}
