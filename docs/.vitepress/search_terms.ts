// SPDX-License-Identifier: MIT
// The terms that a search looks for. The site sends these functions to the browser as text, so they
// cannot use names from outside.

/**
 * Returns the words of a query and the names that two or three of them make: `mask_zero` and
 * `early stopping` also look for `maskzero` and `earlystopping`, as the index writes `maskZero` and
 * `earlyStopping`.
 */
export function queryWords(query: string): string[] {
  const isPlain =
    /^(a|an|and|are|at|by|can|do|does|for|from|how|i|in|is|it|make|my|not|of|on|or|the|to|what|when|where|which|why|with)$/;
  // Next.js, nextjs and next are one name.
  const text = query.toLowerCase().replace(/(?<=\p{L}{3})js\b/gu, ' js');
  const words = text.split(/[\s\p{P}]+/u);
  const found = words.filter((word) => word !== '' && !isPlain.test(word));
  // A query of plain words alone looks for these.
  const used = found.length > 0 ? found : words.filter((word) => word !== '');
  const names = [2, 3].flatMap((count) =>
    used.slice(count - 1).map((_, i) => used.slice(i, i + count).join('')),
  );
  // A pasted message reads like a statement. Sections of the page of errors contain this word.
  const isQuestion = /\b(how|why|what|when|where|which|can|could|do|does|should|i|my)\b(?! not\b)/;
  const states =
    /\b(not|no|cannot|must|needs?|expected|unknown|undefined|out of|was|were|failed|is a)\b/;
  const isMessage = words.length > 3 && states.test(text) && !isQuestion.test(text);
  return [...used, ...names, ...(isMessage ? ['pastedmessage'] : [])];
}

/**
 * Weighs the names that words of a query make: who looks for `mask_zero` means the option, and
 * not everything about masks and zeros.
 */
export function termWeight(term: string, index: number, terms: string[]): number {
  if (term === 'pastedmessage') return 2;
  const isName = [2, 3].some((count) =>
    terms.slice(0, index).some((_, i) => terms.slice(i, i + count).join('') === term),
  );
  return isName ? 4 : 1;
}

/** Allows misspelling in words of five letters or more. Below, `one` would also find `on`. */
export function fuzziness(term: string): number | false {
  return term.length > 4 && 0.2;
}

/** Weights of longer words that begin with a word of the query, and of words that are like one. */
export const weights = { prefix: 0.28, fuzzy: 0.35 };
