// SPDX-License-Identifier: MIT
// The reader of pickles with the classes of maskflow/text, whose code only few commands load.
import { readPickle as read } from '../src/entries/read_pickle.js';

/** Reads a pickle with the classes of maskflow/text. */
export async function readPickle(path: string): ReturnType<typeof read> {
  // The entry stays a file of its own, which other commands do not read.
  await import('../src/text.js');
  return read(path);
}
