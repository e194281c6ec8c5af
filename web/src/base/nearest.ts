// SPDX-License-Identifier: MIT
// Suggestions for misspelt options, for the package and the command.

const kLongestName = 64;

/**
 * Returns a hint for an unknown name, ` (did you mean 'x'?)`; empty if no other name is near.
 *
 * @param most Largest distance: 1 is a letter in place of another.
 *
 * The core has its own search for the nearest name (`suggestion` of src/base/text), but options are
 * checked before the core is loaded, and a page with maskflow/worker does not load it.
 */
export function nearestOf(name: string, all: readonly string[], most = Infinity): string {
  const wrong = name.slice(0, kLongestName).toLowerCase();
  let [nearest, least] = ['', Math.min(most, Math.max(1, wrong.length / 3)) + 0.2];
  for (const other of all) {
    // Letters that a longer name adds count half: 'workers' is near 'num_workers'.
    const shared = sharedLetters(wrong, other.toLowerCase());
    const cost = (wrong.length + other.length) / 2 - shared;
    if (shared && cost < least) [nearest, least] = [other, cost];
  }
  return nearest && ` (did you mean '${nearest}'?)`;
}

/** Length of the longest sequence of letters that both names have in their order. */
function sharedLetters(a: string, b: string): number {
  let lengths = Array(b.length + 1).fill(0);
  for (const letter of a) {
    let [left, corner] = [0, 0];
    lengths = lengths.map((above, k) => {
      left = b[k - 1] === letter ? corner + 1 : Math.max(left, above);
      corner = above;
      return left;
    });
  }
  return lengths[b.length];
}
