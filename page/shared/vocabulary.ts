// SPDX-License-Identifier: MIT
/** Number of ids: the rows of the Embedding in Keras's guide. */
export const vocabularySize = 5000;

// The ids that Keras's guide uses. There, "today" and "tomorrow" have the same id.
const guideIds = new Map<string, number>(
  Object.entries({
    hello: 711,
    world: 632,
    '!': 71,
    how: 73,
    are: 8,
    you: 3215,
    doing: 55,
    today: 927,
    the: 83,
    weather: 91,
    will: 1,
    be: 645,
    nice: 1253,
    tomorrow: 927,
  }),
);
const usedIds = new Set(guideIds.values());

const inWord = /^[\p{L}\p{M}\p{N}'’]+$/u;
/** Matches text of spaces and invisible characters only. */
const invisible = /^[\s\p{C}]+$/u;

/**
 * Splits a sentence into words and single characters; an emoji of several code points is one
 * character.
 */
export function tokenize(sentence: string): string[] {
  const tokens: string[] = [];
  let open = false;
  for (const sign of signsOf(sentence)) {
    const isLetter = inWord.test(sign);
    if (isLetter && open) tokens[tokens.length - 1] += sign;
    else if (!invisible.test(sign)) tokens.push(sign);
    open = isLetter;
  }
  return tokens;
}

/** Text whose characters are its code points. */
const plain = /^[\x20-\x7e\n]*$/;

/**
 * Splits text into characters as people count them, or into code points if Intl.Segmenter is
 * missing. The first segmenter reads its rules for 100 ms on a slow phone, and most text needs
 * none.
 */
export const signsOf = (text: string): string[] =>
  'Segmenter' in Intl && !plain.test(text)
    ? Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment)
    : [...text];

/**
 * Returns the id of a word: from 1, since 0 means padding. A word that is not in the guide gets the
 * FNV-1a hash of its letters, so its id never depends on other words and links restore the batch.
 */
export function idOf(word: string): number {
  const key = word.toLowerCase();
  const id = guideIds.get(key);
  if (id !== undefined) return id;
  let hash = 0x811c9dc5;
  for (const letter of key) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  let candidate = 1 + ((hash >>> 0) % (vocabularySize - 1));
  while (usedIds.has(candidate)) candidate = 1 + (candidate % (vocabularySize - 1));
  return candidate;
}
