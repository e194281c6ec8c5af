// SPDX-License-Identifier: MIT
// The shelf: each layer is a button. One of them is the tab stop; arrow keys move it.
import { h } from '../../shared/dom.js';
import { type Drag, draggable } from './drag.js';
import type { ItemCode } from './item.js';
import { groups, shelf } from './shelf.js';

export function shelfView(take: (code: ItemCode) => void, drag: Drag): HTMLElement[] {
  const buttons: HTMLButtonElement[] = [];
  const button = (code: ItemCode, name: string) => {
    const element = h(
      'button',
      { type: 'button', 'data-code': code, tabindex: buttons.length === 0 ? 0 : -1 },
      h('span', { class: 'grip', 'aria-hidden': 'true' }, '⠿'),
      name,
    );
    element.addEventListener('click', () => take(code));
    draggable(element, code, drag);
    buttons.push(element);
    return element;
  };
  const parts = groups.map((group) =>
    h(
      'div',
      { role: 'group', 'aria-label': group },
      h('p', { class: 'caption', 'aria-hidden': 'true' }, group),
      h(
        'div',
        { class: 'row' },
        ...shelf.filter((item) => item.group === group).map(({ code, name }) => button(code, name)),
      ),
    ),
  );
  const toolbar = h(
    'div',
    {
      role: 'toolbar',
      'aria-label': 'Shelf of layers',
      'aria-orientation': 'vertical',
      class: 'boards',
    },
    ...parts,
  );
  toolbar.addEventListener('keydown', (event) => walk(event, buttons));
  return [
    h('p', { class: 'hint' }, 'Press a layer to add it at the marked +, or drag it to a place.'),
    toolbar,
  ];
}

function walk(event: KeyboardEvent, buttons: HTMLButtonElement[]): void {
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const last = buttons.length - 1;
  const to = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    Home: 0,
    End: last,
  }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  const next = buttons[Math.min(last, Math.max(0, to))] as HTMLButtonElement;
  for (const each of buttons) each.tabIndex = each === next ? 0 : -1;
  next.focus();
}
