// SPDX-License-Identifier: MIT
import { FormatError } from '../../base/errors.js';
import type { Budget } from '../open/budget.js';
import { decodeUtf8 } from '../../engine/utf8.js';

const kBackslash = 0x5c;
const kNaN = '\0NaN';

/**
 * JSON as Python writes it, where NaN and infinities are bare words. It is looked through once before anything is made of it: what is
 * nested too deep, or has too many values, costs no memory. FormatError, with the place, when it is none.
 */
export function parseJson(text: string, what: string, budget: Budget): unknown {
  budget.spend('text', text.length, what);
  const { plain, hasNaN } = withoutWords(text, wordsIn(text, what, budget));
  try {
    if (!hasNaN) return JSON.parse(plain);
    return JSON.parse(plain, (_, value) => (value === kNaN ? Number.NaN : value));
  } catch (error) {
    // (The engine quotes the text, line breaks included.)
    const reason = (error as Error).message.replace(/\s+/g, ' ');
    throw new FormatError(`${what} is no JSON: ${reason}`);
  }
}

/** The same of bytes in UTF-8, which are not decoded where they are too many. */
export function parseJsonBytes(bytes: Uint8Array, what: string, budget: Budget): unknown {
  budget.spend('text', bytes.length, what);
  return parseJson(decodeUtf8(bytes), what, budget);
}

/** Where NaN and Infinity stand outside of strings. Depth and values are counted on the way. */
function wordsIn(text: string, what: string, budget: Budget): number[] {
  const found: number[] = [];
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
        found.push(at);
        break;
    }
    if (values >= 4096) {
      budget.spend('nodes', values, what);
      values = 0;
    }
  }
  budget.spend('nodes', values, what);
  return found;
}

/** The place of the quote that ends a string; that of the end of the text when none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === kBackslash && before - 1 > start) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/** Infinity becomes a number that is too large, NaN a string that no file has. */
function withoutWords(text: string, places: readonly number[]): { plain: string; hasNaN: boolean } {
  if (places.length === 0) return { plain: text, hasNaN: false };
  const pieces: string[] = [];
  let done = 0;
  let hasNaN = false;
  for (const at of places) {
    // The N of a NaN that was done already.
    if (at < done) continue;
    const nan = text.startsWith('NaN', at);
    if (!nan && !text.startsWith('Infinity', at)) continue;
    // A key stays what it is, which is no JSON.
    if (
      nan &&
      text
        .slice(at + 3, at + 6)
        .trimStart()
        .startsWith(':')
    )
      continue;
    hasNaN ||= nan;
    pieces.push(text.slice(done, at), nan ? JSON.stringify(kNaN) : '1e999');
    done = at + (nan ? 3 : 8);
  }
  pieces.push(text.slice(done));
  return { plain: pieces.join(''), hasNaN };
}
