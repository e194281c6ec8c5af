// SPDX-License-Identifier: MIT
// The lines below a search result: the place with most of the words that were looked for, as plain
// text, which a phone wraps. Whole tables and programs would be cut at its edge.

const length = 200;

/** Elements after whose text a space belongs: without it, cells of a row would be one word. */
const apart = 'td, th, tr, p, li, pre, .line, br, div, summary';

const noText = 'button, iframe, svg, style, .lang, .actions, .header-anchor';

/** Returns the text of a section without `others`, its buttons and labels of languages. */
function textOf(html: string, others = ''): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const each of body.querySelectorAll(noText + others)) each.remove();
  for (const each of body.querySelectorAll(apart)) each.after(' ');
  return (body.textContent ?? '').replace(/[\s\u200b]+/g, ' ').trim();
}

/** Returns all places where a word of a text begins with a term. */
function placesOf(text: string, term: string): number[] {
  const places = [];
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    if (!/[\p{L}\d]/u.test(text.charAt(at - 1))) places.push(at);
  }
  return places;
}

/**
 * Returns where the lines begin that have the most letters of different terms, which are in lower
 * case, and how many letters; zeros if the text has no term.
 */
function bestPlace(text: string, terms: readonly string[]): { place: number; letters: number } {
  const lower = text.toLowerCase();
  const found = terms
    .flatMap((term) => placesOf(lower, term).map((at) => ({ at, term })))
    .sort((a, b) => a.at - b.at);
  let best = { place: 0, letters: 0 };
  for (const { at } of found) {
    const near = found.filter((each) => each.at >= at && each.at < at + (3 * length) / 4);
    const letters = [...new Set(near.map(({ term }) => term))].join('').length;
    if (letters > best.letters) best = { place: at, letters };
  }
  return best;
}

/** Returns the part of a section's text with most of the terms, from a word to a word. */
export function excerptOf(html: string, terms: readonly string[]): string {
  const whole = textOf(html);
  if (whole.length <= length) return whole;
  // Sentences read better than lines of a program, unless these have far more of the terms.
  const prose = textOf(html, ', pre');
  const [inWhole, inProse] = [bestPlace(whole, terms), bestPlace(prose, terms)];
  const isProse = inProse.letters >= 0.6 * inWhole.letters && prose.length > length / 2;
  const [text, { place }] = isProse ? [prose, inProse] : [whole, inWhole];
  if (text.length <= length) return text;
  const from = place < length / 2 ? 0 : text.indexOf(' ', place - length / 4) + 1;
  const end = from + length >= text.length ? text.length : text.lastIndexOf(' ', from + length);
  return `${from > 0 ? '… ' : ''}${text.slice(from, end)}${end < text.length ? ' …' : ''}`;
}
