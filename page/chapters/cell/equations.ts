// SPDX-License-Identifier: MIT
// Equations on the page. One term is the tab stop; arrow keys move it.
import { type Child, find, h } from '../../shared/dom.js';
import { type Equation, type Term, number } from './terms.js';

/**
 * Returns an equation. `look` is '' if it is computed, else 'held' or, without numbers, 'skipped'.
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

/** Returns a symbol such as `h_{t−1}` with its index as a subscript. */
export const symbolOf = (text: string): Child[] =>
  text.split(/_\{([^}]*)\}/).map((part, index) => (index % 2 ? h('sub', {}, part) : part));

const next: { [key: string]: number } = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
};

/** Calls `explain` with the origin of the term under the pointer or with the focus. */
export function followTerms(list: HTMLElement, explain: (content: Child[]) => void): void {
  const about = ({ target }: Event) => {
    const term = (target as Element).closest<HTMLElement | SVGElement>('[data-from]');
    if (term) explain([...symbolOf(term.dataset['symbol'] ?? ''), `: ${term.dataset['from']}`]);
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

/** Replaces the equations; the tab stop stays at the same index. */
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
