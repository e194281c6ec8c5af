// SPDX-License-Identifier: MIT
// The parser of all JSON in files: Python's JSON has words that JSON.parse refuses, and hostile
// JSON is refused before it is parsed.
import { FormatError } from '../base/errors.js';
import type { Budget } from './open/budget.js';
import { decodeUtf8 } from '../engine/utf8.js';

const kBackslash = 0x5c;
/** Stands for NaN while the text is parsed. */
const kNaN = '\0NaN';

/**
 * Parses JSON as Python writes it, with NaN and Infinity as bare words. Depth and number of values
 * are counted before parsing, so that a hostile text costs no memory. FormatError, with the
 * engine's reason, if it is not JSON.
 */
export function parseJson(text: string, what: string, budget: Budget): unknown {
  budget.spend('text', text.length, what);
  const start = performance.now();
  const { plain, hasNaN } = replaceWords(text, wordsIn(text, what, budget));
  // The engine parses at once, in about the time of counting.
  budget.expect(performance.now() - start, what);
  try {
    if (!hasNaN) return JSON.parse(plain);
    return JSON.parse(plain, (_, value) => (value === kNaN ? Number.NaN : value));
  } catch (error) {
    // The engine's message quotes the text, including line breaks.
    const reason = (error as Error).message.replace(/\s+/g, ' ');
    throw new FormatError(`${what} is not valid JSON: ${reason}`);
  }
}

/** Parses JSON in UTF-8; above the limit of text it is not even decoded. */
export function parseJsonBytes(bytes: Uint8Array, what: string, budget: Budget): unknown {
  budget.spend('text', bytes.length, what);
  return parseJson(decodeUtf8(bytes), what, budget);
}

/**
 * Positions of N and I outside of strings, where NaN or Infinity may be. Counts depth and values.
 */
function wordsIn(text: string, what: string, budget: Budget): number[] {
  const positions: number[] = [];
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case '[':
      case '{':
        budget.checkDepth(++depth, what);
        values++;
        break;
      case ']':
      case '}':
        depth--;
        break;
      case ',':
      case ':':
        values++;
        break;
      case 'N':
      case 'I':
        positions.push(at);
        break;
    }
    if (values >= 4096) {
      budget.spend('nodes', values, what);
      values = 0;
    }
  }
  budget.spend('nodes', values, what);
  return positions;
}

/** Position of the quote that ends a string, or the length of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === kBackslash && before - 1 > start) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/** Replaces Infinity by a number that overflows to it, and NaN by `kNaN`. */
function replaceWords(
  text: string,
  positions: readonly number[],
): { plain: string; hasNaN: boolean } {
  if (positions.length === 0) return { plain: text, hasNaN: false };
  const pieces: string[] = [];
  let end = 0;
  let hasNaN = false;
  for (const at of positions) {
    // The second N of a NaN.
    if (at < end) continue;
    const isNaNWord = text.startsWith('NaN', at);
    if (!isNaNWord && !text.startsWith('Infinity', at)) continue;
    // NaN as a key is an error, which JSON.parse reports.
    if (
      isNaNWord &&
      text
        .slice(at + 3, at + 6)
        .trimStart()
        .startsWith(':')
    )
      continue;
    hasNaN ||= isNaNWord;
    pieces.push(text.slice(end, at), isNaNWord ? JSON.stringify(kNaN) : '1e999');
    end = at + (isNaNWord ? 3 : 8);
  }
  pieces.push(text.slice(end));
  return { plain: pieces.join(''), hasNaN };
}
