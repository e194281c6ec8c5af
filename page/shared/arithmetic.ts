// SPDX-License-Identifier: MIT
// Numbers that show their arithmetic on hover, focus and tap: words.ts shows the note of
// `data-arithmetic`. Numbers of a figure are one tab stop; arrow keys move inside it.
import { h, say } from './dom.js';
import { type Pair, apart } from './pairs.js';
import { decimal, gap } from './text.js';

/** A number as the page shows it, and its arithmetic. */
export type Sum = readonly [number: string, arithmetic: string];

/** Returns a number of a text as an element that shows its arithmetic. */
export const figured = ([number, arithmetic]: Sum): HTMLElement =>
  h(
    'span',
    { class: 'figured', role: 'button', tabindex: 0, 'data-arithmetic': arithmetic },
    number,
  );

/** Sets a sentence; the first place of each number in it shows the number's arithmetic. */
export function sayWithSums(element: HTMLElement, sentence: string, sums: readonly Sum[]): void {
  const key = JSON.stringify(sums);
  if (element.dataset['said'] === sentence && element.dataset['sums'] === key) return;
  delete element.dataset['said'];
  say(element, sentence);
  element.dataset['sums'] = key;
  for (const sum of sums) wrap(element, sum);
}

/** Replaces the first text that contains the number of `sum` as a whole. */
function wrap(element: HTMLElement, sum: Sum): void {
  const [number] = sum;
  for (const node of [...element.childNodes]) {
    if (!(node instanceof Text)) continue;
    const at = placeOf(node.data, number);
    if (at < 0) continue;
    const rest = node.splitText(at);
    rest.splitText(number.length);
    rest.replaceWith(figured(sum));
    return;
  }
}

/** Returns where a text contains a number that is not a part of another one, or -1. */
export function placeOf(text: string, number: string): number {
  for (let at = text.indexOf(number); at >= 0; at = text.indexOf(number, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text.slice(at + number.length)];
    if (!/[\d.−]/.test(before) && !/^\.?\d/.test(after)) return at;
  }
  return -1;
}

// ── arithmetic as text

/** Returns up to four numbers with `+` between them; of more, the first two and the last. */
export function written(values: readonly number[], digits = 4): string {
  const texts = values.map((value) => signed(value, digits));
  const shown = texts.length > 4 ? [...texts.slice(0, 2), '…', ...texts.slice(-1)] : texts;
  return shown.join(' + ');
}

/** Returns a number, in brackets if it is negative. */
export const signed = (value: number, digits = 4): string =>
  value < 0 ? `(${decimal(value, digits)})` : decimal(value, digits);

/** Returns the arithmetic of a mean. */
export const meanOf = (values: readonly number[]): string => {
  const sum = values.reduce((total, value) => total + value, 0);
  return `(${written(values)}) / ${values.length} = ${decimal(sum)} / ${values.length} = ${decimal(sum / values.length)}`;
};

/** Returns the arithmetic of a share. */
export const shareOf = (part: number, whole: number): string =>
  `${part} / ${whole} = ${decimal(part / whole)}`;

/** Returns the arithmetic of the distance of two numbers. */
export const distanceOf = (a: number, b: number, digits = 4): string =>
  `|${decimal(a, digits)} − ${signed(b, digits)}|`;

/** Returns the arithmetic of a difference as `upTo` writes it; none if it is written as a bound. */
export function sumOfGap(pair: Pair | undefined, detail: string): Sum[] {
  if (!pair || !(apart(pair) >= 0.0001)) return [];
  return [[gap(apart(pair)), `${distanceOf(...pair)}, ${detail}`]];
}

// ── keys

/** Makes the numbers inside an element one tab stop, in which arrow keys move. */
export function offerNumbers(group: Element): void {
  const numbers = numbersOf(group);
  group.setAttribute('data-numbers', '');
  for (const [index, number] of numbers.entries()) number.tabIndex = index === 0 ? 0 : -1;
}

type Focusable = HTMLElement | SVGElement;
const numbersOf = (group: Element): Focusable[] => [
  ...group.querySelectorAll<Focusable>('[data-arithmetic]'),
];

const moves: { [key: string]: (at: number, last: number) => number } = {
  ArrowRight: (at, last) => Math.min(last, at + 1),
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowLeft: (at) => Math.max(0, at - 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, last) => last,
};

export function followNumbers(): void {
  document.addEventListener('keydown', (event) => {
    const group = (event.target as Element).closest('[data-numbers]');
    const move = moves[event.key];
    if (!group || !move || event.ctrlKey || event.altKey || event.metaKey) return;
    const numbers = numbersOf(group);
    const at = numbers.indexOf(event.target as Focusable);
    if (at < 0) return;
    event.preventDefault();
    for (const each of numbers) each.tabIndex = -1;
    const next = numbers[move(at, numbers.length - 1)];
    if (next) next.tabIndex = 0;
    next?.focus();
  });
}
