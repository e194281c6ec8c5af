// SPDX-License-Identifier: MIT
// The terms that a search looks for. The site sends these functions to the browser as text, so they
// cannot use names from outside.

/**
 * Returns the words of a query and the names that they make: `mask_zero` and `early stopping` also
 * look for `maskzero` and `earlystopping`, as the index writes `maskZero` and `earlyStopping`.
 */
export function queryWords(query: string): string[] {
  const isPlain =
    /^(a|an|and|are|at|by|can|do|does|for|from|how|i|in|is|it|make|my|not|of|on|or|the|to|what|when|where|which|why|with)$/;
  const words = query.toLowerCase().split(/[\s\p{P}]+/u);
  const found = words.filter((word) => word !== '' && !isPlain.test(word));
  // A query of plain words alone looks for these.
  const used = found.length > 0 ? found : words.filter((word) => word !== '');
  const names = used.slice(1).map((word, i) => `${used[i]}${word}`);
  return [...used, ...names];
}

/**
 * Weighs the names that two words of a query make: who looks for `mask_zero` means the option, and
 * not everything about masks and zeros.
 */
export function termWeight(term: string, index: number, terms: string[]): number {
  const isName = terms.slice(1, index).some((word, i) => `${terms[i]}${word}` === term);
  return isName ? 4 : 1;
}

/** Allows misspelling in words of five letters or more. Below, `one` would also find `on`. */
export function fuzziness(term: string): number | false {
  return term.length > 4 && 0.2;
}
