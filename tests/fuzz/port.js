// SPDX-License-Identifier: MIT
// Replays programs of tests/fuzz/keras_port.py: each is ported to JavaScript and run.
import { portedDifference } from '../support/ported.js';

/** Kinds of notes, with counts of the programs that carry them. */
export const noteCounts = new Map();

const generalized = (text) => text.replace(/['"`][^'"`]*['"`]|\d+/g, '…').slice(0, 100);

/**
 * Returns null if the port of a recorded program computes what Keras computed, else the difference.
 * A difference of a program with notes begins with 'note'.
 */
export async function checkPort(recorded) {
  const { notes, problem } = await portedDifference(recorded);
  for (const { kind, text } of notes) {
    const name = `${kind}: ${generalized(text)}`;
    noteCounts.set(name, (noteCounts.get(name) ?? 0) + 1);
  }
  if (problem === null) return null;
  if (notes.length === 0 || /^SyntaxError/.test(problem)) return problem;
  return `note ${notes[0].kind}: ${generalized(notes[0].text)}`;
}
