// SPDX-License-Identifier: MIT
// Equations on the page. One term is a tab stop; the arrow keys go from one to the next.
import { type Child, find, h } from '../../shared/dom.js';
import { type Equation, type Term, number } from './terms.js';

/**
 * `look`: '' for what is computed, 'held' or 'skipped' for what is not; skipped ones have no
 * numbers.
 */
export function equationItem({ result, right }: Equation, look: string): HTMLElement {
  const button = (term: Term, of: string) =>
    termButton(look === 'skipped' ? { ...term, value: undefined } : term, of);
  return h(
    'li',
    { class: `equation ${look}` },
    button(result, 'term result'),
    h('span', { class: 'sign' }, '='),
    ...right.map((part) =>
      typeof part === 'string' ? h('span', { class: 'sign' }, part.trim()) : button(part, 'term'),
    ),
  );
}

function termButton({ name, symbol, value, from }: Term, look: string): HTMLElement {
  const missing = 'Not computed: the step is masked.';
  return h(
    'button',
    {
      type: 'button',
      class: look,
      tabindex: -1,
      'data-link': `cell-${name}`,
      'data-from': value === undefined ? missing : from,
      'data-symbol': symbol,
    },
    h('span', { class: 'symbol' }, ...symbolOf(symbol)),
    h('span', { class: 'amount' }, value === undefined ? '–' : number(value)),
  );
}

/** `h_{t−1}` with the index low. */
const symbolOf = (text: string): Child[] =>
  text.split(/_\{([^}]*)\}/).map((part, index) => (index % 2 ? h('sub', {}, part) : part));

const next: { [key: string]: number } = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
};

/** `tell`: what is said of the term that is pointed at, or has the focus. */
export function followTerms(list: HTMLElement, tell: (told: Child[]) => void): void {
  const about = ({ target }: Event) => {
    const term = (target as Element).closest<HTMLElement>('.term');
    if (term) tell([...symbolOf(term.dataset['symbol'] ?? ''), `: ${term.dataset['from']}`]);
  };
  for (const type of ['pointerover', 'focusin', 'click'] as const)
    list.addEventListener(type, about);
  list.addEventListener('keydown', (event) => {
    const terms = [...list.querySelectorAll<HTMLElement>('.term')];
    const at = terms.indexOf(document.activeElement as HTMLElement);
    const to =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? terms.length - 1
          : at + (next[event.key] ?? 0);
    const term = terms[to];
    if (at < 0 || to === at || !term) return;
    event.preventDefault();
    for (const each of terms) each.tabIndex = -1;
    term.tabIndex = 0;
    term.focus();
  });
}

/** New equations; the keyboard stays at the same place of the list. */
export function putEquations(list: HTMLElement, items: HTMLElement[]): void {
  const before = [...list.querySelectorAll<HTMLElement>('.term')];
  const at = before.findIndex((term) => term.tabIndex === 0);
  const focused = list.contains(document.activeElement);
  list.replaceChildren(...items);
  const terms = [...list.querySelectorAll<HTMLElement>('.term')];
  const stop = terms[Math.max(0, Math.min(at, terms.length - 1))];
  if (!stop) return;
  stop.tabIndex = 0;
  if (focused) stop.focus({ preventScroll: true });
}

export const listOf = (section: HTMLElement): HTMLElement => find('.equations', section);
