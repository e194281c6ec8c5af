// SPDX-License-Identifier: MIT
// Lines of a program as elements, with what their layers do with the mask, and with notes.
import type { PortNote } from 'maskflow/port';
import { h } from '../../shared/dom.js';
import { type Language, highlight } from '../../shared/highlight.js';
import { roles } from '../../shared/roles.js';
import type { Role } from './marks.js';

export interface Listed {
  language: Language;
  marks: ReadonlyMap<number, Role>;
  /** Notes by the index of their line. */
  notes?: ReadonlyMap<number, readonly PortNote[]>;
  /** Index of the line with an error. */
  fault?: number;
  /** Prefix of the ids of lines that may be chosen; without it, they are not options. */
  options?: string;
}

const looks: Partial<Record<Role, string>> = { drops: 'lost', none: 'blind' };

/** Returns one element for each line. */
export function listing(text: string, listed: Listed): HTMLElement[] {
  const { language, marks, notes, fault, options } = listed;
  return text.split('\n').map((line, index) => {
    const role = marks.get(index);
    const own = notes?.get(index) ?? [];
    const look = role === undefined ? '' : ` ${looks[role] ?? 'marked'}`;
    const noted = own.length > 0 ? ' noted' : '';
    return h(
      'div',
      {
        class: `line${look}${noted}${index === fault ? ' faulty' : ''}`,
        ...(options !== undefined && {
          role: 'option',
          id: `${options}-${index}`,
          'aria-selected': 'false',
          ...(line.trim() === '' && { 'aria-label': 'empty line' }),
        }),
      },
      h('span', { class: 'text' }, ...highlight(line, language)),
      role && roleOf(role),
      ...(options === undefined ? [] : own.map(noteOf)),
    );
  });
}

/** Shows the word of a role that fits beside a line; screen readers and the pointer get all. */
function roleOf(role: Role): HTMLElement {
  const words = roles[role];
  const [seen = ''] = /no mask$|a new one$/.exec(words) ?? /^\w+/.exec(words) ?? [];
  const [before = '', after = ''] = words.split(seen);
  const unseen = (text: string) => (text === '' ? '' : h('span', { class: 'unseen' }, text));
  return h('span', { class: 'role', title: words }, unseen(before), seen, unseen(after));
}

const noteOf = ({ kind, text, line }: PortNote): HTMLElement =>
  h('span', { class: 'note' }, h('strong', {}, kind), ` ${text} (line ${line})`);

/** Lights up these lines, and no others. Returns the first of them. */
export function light(lines: ArrayLike<Element>, lit: readonly number[]): Element | undefined {
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    line?.classList.toggle('partner', lit.includes(index));
    if (line?.hasAttribute('aria-selected'))
      line.setAttribute('aria-selected', String(lit.includes(index)));
  }
  return lines[lit[0] ?? -1];
}

/** Scrolls a line into the view of its pane; the page stays where it is. */
export function reveal(line: Element | undefined, pane: HTMLElement): void {
  if (!line) return;
  const [inner, outer] = [line.getBoundingClientRect(), pane.getBoundingClientRect()];
  if (inner.top < outer.top) pane.scrollTop += inner.top - outer.top - 8;
  else if (inner.bottom > outer.bottom) pane.scrollTop += inner.bottom - outer.bottom + 8;
}
