// SPDX-License-Identifier: MIT
/** As many ids as the guide's Embedding has rows. */
export const vocabularySize = 5000;

// The ids that Keras's guide uses. It gives "today" and "tomorrow" the same one, and so does this page.
const known = new Map<string, number>(
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
const taken = new Set(known.values());

const inWord = /^[\p{L}\p{M}\p{N}'’]+$/u;
/** Spaces, and signs that show nothing by themselves. */
const unseen = /^[\s\p{C}]+$/u;

/** Words and single signs; a sign of several parts, such as the picture of a family, is one. */
export function tokenize(sentence: string): string[] {
  const tokens: string[] = [];
  let open = false;
  for (const sign of signsOf(sentence)) {
    const goesOn = inWord.test(sign);
    if (goesOn && open) tokens[tokens.length - 1] += sign;
    else if (!unseen.test(sign)) tokens.push(sign);
    open = goesOn;
  }
  return tokens;
}

/** What a person counts as one letter or sign; engines without a Segmenter count code points. */
export const signsOf = (text: string): string[] =>
  'Segmenter' in Intl
    ? Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment)
    : [...text];

/**
 * The id of a word: never 0, which means padding. A word outside the guide gets the hash of its letters
 * (FNV-1a), so that it keeps its id whatever stands around it, and a link gives the same batch again.
 */
export function idOf(word: string): number {
  const key = word.toLowerCase();
  const id = known.get(key);
  if (id !== undefined) return id;
  let hash = 0x811c9dc5;
  for (const letter of key) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  let candidate = 1 + ((hash >>> 0) % (vocabularySize - 1));
  while (taken.has(candidate)) candidate = 1 + (candidate % (vocabularySize - 1));
  return candidate;
}
