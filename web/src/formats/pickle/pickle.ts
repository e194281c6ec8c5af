// SPDX-License-Identifier: MIT
// The loop over the opcodes of a pickle, which builds plain values and runs nothing. Called for
// files of PyTorch and by read_pickle.ts.
import { atOnce, type Budget, inPieces } from '../open/budget.js';
import { type Dialect, PickleReader, type Resolve } from './pickle_reader.js';

const kStop = 0x2e;
/** Number of opcodes between two chances of a pause. */
const kWithoutPause = 4096;

/** How names, calls and persistent ids of a pickle are read. */
interface Reading {
  resolve: Resolve;
  dialect: Dialect;
  depth?: number;
}

/** Value of a pickle, and the position after it. */
interface Pickled {
  value: unknown;
  end: number;
}

function* pickleWork(
  file: Uint8Array,
  start: number,
  budget: Budget,
  { resolve, dialect, depth }: Reading,
): Generator<void, Pickled> {
  const reader = new PickleReader(file, start, budget, resolve, dialect, depth);
  for (let count = 1; ; count++) {
    if (count % kWithoutPause === 0) yield;
    const { at } = reader;
    const code = reader.uint(1);
    if (code === kStop) return { value: reader.pop(1)[0], end: reader.at };
    budget.spend('nodes', 1, 'the pickle');
    const step = dialect.opcodes[code];
    if (!step) throw dialect.unknownOpcode(code, at);
    step(reader);
  }
}

/**
 * Reads a pickle from a position on, and returns its value and its end. It runs nothing: classes
 * and functions are names, and the dialect says what calls become. Throws FormatError for a damaged
 * pickle, an unknown opcode, or a call that the dialect refuses.
 */
export const readPickle = (...args: Parameters<typeof pickleWork>): Pickled =>
  atOnce(pickleWork(...args));

/** Does the same as `readPickle`, with pauses in which the thread handles events. */
export const readPickleInPieces = (...args: Parameters<typeof pickleWork>): Promise<Pickled> =>
  inPieces(pickleWork(...args), args[2]);
