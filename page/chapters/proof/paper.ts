// SPDX-License-Identifier: MIT
// The toy on paper, where nothing moves: its state before and after the zeros, side by side.
import { h } from '../../shared/dom.js';
import { count } from '../../shared/text.js';
import { curves } from './curves.js';
import { Dial } from './dial.js';

type Answers = readonly (readonly [masked: number, bare: number])[];

/** Returns the two states: without zeros, and with `pads` of them. */
export function statesOf(letters: readonly string[], answers: Answers, pads: number) {
  return [0, pads].map((zeros) =>
    stateOf(letters, answers[zeros] ?? [Number.NaN, Number.NaN], zeros),
  );
}

/** Returns the answers for all numbers of zeros that were tried. */
export function farOf(answers: Answers, pads: number): HTMLElement {
  const end = answers.length - 1;
  const size = { width: 700, height: 260 };
  return h(
    'figure',
    { class: 'far' },
    h('figcaption', {}, `The answers with up to ${end} zeros`),
    curves(answers, { pads, end, reach: end, ...size }),
  );
}

function stateOf(
  letters: readonly string[],
  [masked, bare]: readonly [number, number],
  zeros: number,
): HTMLElement {
  const dials = [new Dial('with the mask', 'kept'), new Dial('without it', 'alarm')] as const;
  dials[0].show(masked);
  dials[1].show(bare);
  const shown = Math.min(zeros, 12);
  const tiles = [
    ...letters.map((letter) => h('span', { class: 'cell kept' }, letter)),
    ...Array.from({ length: shown }, () => h('span', { class: 'cell masked' }, h('span', {}, '0'))),
  ];
  return h(
    'figure',
    {},
    h('figcaption', {}, zeros === 0 ? 'The row' : `The row with ${count(zeros, 'zero')}`),
    h('div', { class: 'tokens' }, ...tiles),
    h('div', { class: 'dials' }, ...dials.map(({ element }) => element)),
  );
}
