// SPDX-License-Identifier: MIT
// The lines below a search result: words around the first one that was looked for, as plain text,
// which a phone wraps. Whole tables and programs would be cut at its edge.

const length = 200;

/** Elements after whose text a space belongs: without it, cells of a row would be one word. */
const apart = 'td, th, tr, p, li, pre, .line, br, div, summary';

/** Returns the text of a section without its buttons and labels of languages. */
function textOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const each of body.querySelectorAll(
    'button, iframe, svg, style, .lang, .actions, .header-anchor',
  ))
    each.remove();
  for (const each of body.querySelectorAll(apart)) each.after(' ');
  return (body.textContent ?? '').replace(/[\s\u200b]+/g, ' ').trim();
}

/** Returns where the first of some lower-case terms is in a text; 0 if there is none. */
function placeOf(text: string, terms: readonly string[]): number {
  const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((at) => at >= 0);
  return places.length > 0 ? Math.min(...places) : 0;
}

/** Returns the part of a section's text around the first of the terms, from a word to a word. */
export function excerptOf(html: string, terms: readonly string[]): string {
  const text = textOf(html);
  if (text.length <= length) return text;
  const longest = terms.toSorted((a, b) => b.length - a.length).slice(0, 1);
  const place = placeOf(text, longest) || placeOf(text, terms);
  const from = place < length / 2 ? 0 : text.indexOf(' ', place - length / 4) + 1;
  const end = from + length >= text.length ? text.length : text.lastIndexOf(' ', from + length);
  return `${from > 0 ? '… ' : ''}${text.slice(from, end)}${end < text.length ? ' …' : ''}`;
}
