// SPDX-License-Identifier: MIT
// One layer of the built model: its name, its settings and what happened to the mask there.
import { type Child, h, rich } from '../../shared/dom.js';
import { roles } from '../../shared/roles.js';
import { type Remedy, putBack } from './item.js';
import { loses } from './lost.js';
import { type Card, titleOf } from './notation.js';
import type { FlowData } from './read.js';
import type { Stage } from './stage.js';

export interface CardActions {
  move(to: number): void;
  remove(): void;
  set(key: string, value: string): void;
}

export function cardView(card: Card, at: number, count: number, actions: CardActions): HTMLElement {
  const { group } = card.item;
  const name = titleOf(card);
  const grip = h(
    'button',
    {
      type: 'button',
      class: 'grip',
      'data-focus': `grip-${at}`,
      'aria-label': `${name}, layer ${at + 1} of ${count}. Arrow up and down move it, Delete removes it.`,
    },
    '⠿',
  );
  grip.addEventListener('keydown', (event) => {
    const act = {
      ArrowUp: () => actions.move(at - 1),
      ArrowDown: () => actions.move(at + 1),
      Delete: actions.remove,
      Backspace: actions.remove,
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  const button = (text: string, label: string, act: () => void, disabled = false) => {
    const element = h(
      'button',
      { type: 'button', class: 'small', 'aria-label': label, disabled },
      text,
    );
    element.addEventListener('click', act);
    return element;
  };
  return h(
    'div',
    { class: 'card', 'data-card': at, 'data-group': group },
    grip,
    h(
      'h3',
      {},
      name,
      ' ',
      h('span', { class: 'role', 'data-told': 'role', hidden: true }),
      ' ',
      h('span', { class: 'shape' }),
    ),
    h(
      'div',
      { class: 'tools' },
      button('↑', `Move ${name} up`, () => actions.move(at - 1), at === 0),
      button('↓', `Move ${name} down`, () => actions.move(at + 1), at === count - 1),
      button('✕', `Remove ${name}`, actions.remove),
    ),
    settingsOf(card, at, actions),
    h('div', { class: 'told', 'data-told': 'text' }),
  );
}

function settingsOf(
  { item, settings }: Card,
  at: number,
  actions: CardActions,
): HTMLElement | null {
  const entries = Object.entries(item.settings ?? {});
  if (entries.length === 0) return null;
  const controls = entries.map(([key, { label, choices }]) => {
    const select = h(
      'select',
      { 'data-focus': `set-${at}-${key}` },
      ...choices.map((choice) =>
        h(
          'option',
          { value: choice.value, selected: choice.value === settings[key] },
          choice.label,
        ),
      ),
    );
    select.addEventListener('change', () => actions.set(key, select.value));
    return h('label', {}, h('span', {}, label), select);
  });
  return h('div', { class: 'settings' }, ...controls);
}

/** Shows what happened to the mask at a card. The buttons of its remedies call `apply`. */
export function showCardResult(
  element: HTMLElement,
  card: Card,
  at: number,
  data: FlowData,
  apply: (remedy: Remedy) => void,
): void {
  const edge = data.edges?.[at];
  const stage = data.chains[0]?.stages[edge?.stage ?? -1];
  const restored = data.edges?.[at + 1]?.stage === -1 && data.edges[at + 1]?.mask !== null;
  const lost = stage !== undefined && loses(stage) && !restored;
  const role = element.querySelector<HTMLElement>('[data-told="role"]');
  const text = element.querySelector<HTMLElement>('[data-told="text"]');
  if (!role || !text) return;
  element.classList.toggle('lost', lost);
  element.classList.toggle(
    'blind',
    at > 0 && stage?.role === 'none' && card.item.takes === 'steps',
  );
  role.hidden = false;
  role.textContent = stage
    ? labelOf(stage, lost, restored)
    : edge?.mask
      ? 'restores it'
      : 'has no mask to restore';
  const isOff = stage !== undefined && isMakerOff(card, stage);
  const remedies = lost || isOff ? (card.item.remedies ?? [putBack]) : [];
  text.replaceChildren(
    ...[
      isPlain(stage, lost)
        ? null
        : h('p', { class: 'caption' }, ...wordsFor(card, stage, data, at)),
      stage?.warning
        ? h('p', { class: 'warned' }, h('strong', {}, 'Warning '), stage.warning)
        : null,
      ...remedies.map((remedy, index) =>
        remedyView(remedy, `remedy-${at}-${index}`, () => apply(remedy)),
      ),
    ].filter((each) => each !== null),
  );
}

function remedyView({ label, why }: Remedy, focus: string, act: () => void): HTMLElement {
  const button = h('button', { type: 'button', class: 'main', 'data-focus': focus }, label);
  button.addEventListener('click', act);
  return h('p', { class: 'remedy' }, button, h('span', {}, ...rich(why)));
}

/** Whether the role says all: the mask is made, passed on or used as expected. */
const isPlain = (stage: Stage | undefined, lost: boolean): boolean =>
  stage !== undefined &&
  !lost &&
  ['makes', 'passes', 'uses', 'uses and passes'].includes(stage.role);

/** Whether a layer could make a mask but its setting is off. */
const isMakerOff = ({ item }: Card, { role }: Stage): boolean =>
  item.maskIsOptional === true && role === 'none';

function wordsFor({ item }: Card, stage: Stage | undefined, data: FlowData, at: number): Child[] {
  if (!stage) {
    const mask = data.edges?.[at]?.mask;
    return rich(
      mask
        ? '`withMask` attaches the mask to the tensor again.'
        : 'There is no mask that it could restore.',
    );
  }
  if (stage.role === 'none' && item.takes === 'steps' && at > 0) {
    if (item.withoutMask) return [item.withoutMask];
  }
  return [stage.reason];
}

function labelOf({ role }: Stage, lost: boolean, restored: boolean): string {
  if (restored && role === 'drops') return 'drops it, then restored';
  // An output without steps needs no mask, so nothing is lost.
  return role === 'drops' && !lost ? roles.uses : roles[role];
}
