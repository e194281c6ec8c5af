// SPDX-License-Identifier: MIT
import type { Budget } from '../open/budget.js';
import { type Dialect, PickleReader, type Resolve } from './pickle_reader.js';

const kStop = 0x2e;

/**
 * Reads a pickle from a position on, and returns its value and its end. It runs nothing: classes
 * and functions are names, and the dialect says what calls become. Throws FormatError for a damaged
 * pickle, an unknown opcode, or a call that the dialect refuses.
 */
export function readPickle(
  file: Uint8Array,
  start: number,
  budget: Budget,
  { resolve, dialect, depth }: { resolve: Resolve; dialect: Dialect; depth?: number },
): { value: unknown; end: number } {
  const reader = new PickleReader(file, start, budget, resolve, dialect, depth);
  for (;;) {
    const { at } = reader;
    const code = reader.uint(1);
    if (code === kStop) return { value: reader.pop(1)[0], end: reader.at };
    budget.spend('nodes', 1, 'the pickle');
    const step = dialect.opcodes[code];
    if (!step) throw dialect.unknownOpcode(code, at);
    step(reader);
  }
}
