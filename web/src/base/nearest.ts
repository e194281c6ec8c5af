// SPDX-License-Identifier: MIT

const kLongestName = 64;

/**
 * Returns a hint for an unknown name, ` (did you mean 'x'?)`; empty if no other name is near.
 *
 * The core has its own search for the nearest name (`suggestion` of src/base/text), but options are
 * checked before the core is loaded, and a page with maskflow/worker does not load it.
 */
export function nearestOf(name: string, all: readonly string[]): string {
  let [nearest, most] = ['', 0];
  for (const other of all) {
    const likeness = sharedPairs(name, other);
    if (likeness > most) [nearest, most] = [other, likeness];
  }
  return most * 2 > name.length - 3 && most > 0 ? ` (did you mean '${nearest}'?)` : '';
}

/** Counts the pairs of neighbouring letters of `name` that are also in `other`. */
function sharedPairs(name: string, other: string): number {
  const [from, into] = [name.slice(0, kLongestName).toLowerCase(), other.toLowerCase()];
  return [...from].filter((letter, i) => into.includes((from[i - 1] ?? '?') + letter)).length;
}
