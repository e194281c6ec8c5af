// SPDX-License-Identifier: MIT
// The model as a list that visitors change by buttons, by keys or by dragging.
import { places } from '../../shared/batch.js';
import type { Scene } from '../../shared/chapter.js';
import { find, h, rich, say } from '../../shared/dom.js';
import { linksOf } from '../../shared/linked.js';
import { cardView, showCardResult } from './card.js';
import type { Fix } from './compose.js';
import { draggable } from './drag.js';
import { clearEdges, edgeView, showEdges } from './edges.js';
import type { Remedy } from './item.js';
import { type Card, maxCards, newCard, writeModel } from './notation.js';
import { presets } from './presets.js';
import type { FlowData } from './read.js';
import { shelfView } from './shelf_view.js';
import { type State, composed } from './state.js';

/** Returns the focus name of the active element, which gets the focus again after a redraw. */
const focusName = (): string | undefined =>
  document.activeElement instanceof HTMLElement
    ? document.activeElement.dataset['focus']
    : undefined;

export class Builder {
  private cards: Card[] = [];
  private drawn = '';
  /** Position in the list where the next layer of the shelf goes. */
  private gap = 1;
  private nextFocus: string | undefined;
  /** Links of each cell of a mask, for the words of chapter 2. */
  private links: string[][] | undefined;
  private readonly list = h('ol', {
    class: 'built',
    'aria-label': 'The model, from input to output',
  });
  private readonly announcer = h('p', { class: 'unseen', role: 'status' });

  constructor(private readonly scene: Scene) {
    scene.put('built', this.list, this.announcer);
    scene.put(
      'shelf',
      ...shelfView((code) => this.insert(newCard(code as never), this.gap), {
        target: this.list,
        onDrop: (code, gap) => this.insert(newCard(code as never), gap),
      }),
    );
    this.fillChoices();
    // On a phone the shelf, which is as high as the model, unfolds on request.
    const fold = find<HTMLDetailsElement>('.shelving', scene.section);
    fold.open = !matchMedia('(max-width: 56rem)').matches;
  }

  /** Shows the current controls, without computed results until `showResults` is called. */
  show(state: State): void {
    this.cards = state.cards;
    this.links = state.data.usesBatch ? linksOf(places(this.scene.batch)) : undefined;
    this.showPreset(state);
    const composition = composed(this.scene, state);
    const obstacle = composition && 'obstacle' in composition ? composition.obstacle : undefined;
    const content = `${writeModel(this.cards)} ${obstacle?.at} ${obstacle?.sentence} ${this.gap}`;
    this.scene.slot('built').hidden = state.recipe !== undefined;
    find('.shelving', this.scene.section).hidden = state.recipe !== undefined;
    this.scene.slot('feed').hidden = state.recipe !== undefined;
    this.scene.slot('mine').hidden = !state.hasSentences;
    this.list.classList.remove('other');
    if (content === this.drawn) clearEdges(this.list);
    else this.build(obstacle);
    this.drawn = content;
  }

  /** Shows what the program's model did to the mask, at each card and on each edge. */
  showResults(data: FlowData, edited: boolean): void {
    const edges = data.edges;
    const fits = edges !== undefined && edges.length === this.cards.length && this.matches(data);
    this.list.classList.toggle('other', this.cards.length > 0 && edited && !fits);
    if (!fits) return;
    showEdges(this.list, data, this.links);
    this.cards.forEach((card, at) => {
      const element = this.list.querySelector<HTMLElement>(`[data-card="${at}"]`);
      if (element) showCardResult(element, card, at, data, (remedy) => this.apply(remedy, at));
    });
  }

  private matches({ edges, chains }: FlowData): boolean {
    return this.cards.every(({ item, settings }, at) => {
      const stage = chains[0]?.stages[edges?.[at]?.stage ?? -1];
      // An op that saw no mask has no name in the trace.
      const named = item.classNameFor?.(settings) ?? item.className;
      return (stage?.className || (stage ? named : '')) === named;
    });
  }

  private build(obstacle: { at: number; sentence: string; fix?: Fix } | undefined): void {
    const focused = this.nextFocus ?? focusName();
    this.nextFocus = undefined;
    this.gap = Math.min(this.gap, this.cards.length);
    const edge = (at: number) =>
      edgeView(at, {
        chosen: at === this.gap,
        full: this.cards.length >= maxCards,
        choose: () => this.choose(at),
      });
    this.list.replaceChildren(
      h(
        'li',
        { class: 'source' },
        h('div', { class: 'card input' }, h('h3', {}, 'Input ', h('span', { class: 'shape' }))),
        edge(0),
      ),
      ...this.cards.map((card, at) => {
        const view = this.cardAt(card, at, obstacle);
        return h('li', {}, view, edge(at + 1));
      }),
    );
    if (focused) this.list.querySelector<HTMLElement>(`[data-focus="${focused}"]`)?.focus();
  }

  private cardAt(
    card: Card,
    at: number,
    obstacle: { at: number; sentence: string; fix?: Fix } | undefined,
  ): HTMLElement {
    const view = cardView(card, at, this.cards.length, {
      move: (to) => this.move(at, to),
      remove: () => this.remove(at),
      set: (key, value) => this.changeSetting(at, key, value),
    });
    const grip = find('.grip', view);
    draggable(grip, String(at), {
      target: this.list,
      onDrop: (_, gap) => this.move(at, gap > at ? gap - 1 : gap),
    });
    if (obstacle?.at === at) view.append(this.objection(obstacle));
    return view;
  }

  private objection({ sentence, fix }: { sentence: string; fix?: Fix }): HTMLElement {
    const button = fix && h('button', { type: 'button', 'data-focus': 'fix' }, fix.label);
    button?.addEventListener('click', () => {
      this.nextFocus = 'gap-0';
      if (fix?.steps !== undefined) this.scene.set({ steps: String(fix.steps) });
      else if (fix?.cards) this.put(fix.cards);
    });
    return h('div', { class: 'objection' }, h('p', {}, ...rich(sentence)), button ?? null);
  }

  // ── changes

  private put(cards: Card[], announcement = ''): void {
    this.scene.set({ model: writeModel(cards) });
    if (announcement) say(this.announcer, announcement);
  }

  private insert(card: Card, gap: number): void {
    if (this.cards.length >= maxCards) {
      say(this.announcer, `The model is full: it has ${maxCards} layers. Remove one first.`);
      return;
    }
    this.gap = gap + 1;
    const cards = [...this.cards.slice(0, gap), card, ...this.cards.slice(gap)];
    this.put(cards, `${card.item.name} added at place ${gap + 1} of ${cards.length}.`);
  }

  private remove(at: number): void {
    const name = this.cards[at]?.item.name;
    this.gap = at;
    this.nextFocus = at === 0 && this.cards.length === 1 ? 'gap-0' : `grip-${Math.max(0, at - 1)}`;
    this.put(
      this.cards.filter((_, i) => i !== at),
      `${name} removed.`,
    );
  }

  private move(from: number, to: number): void {
    const card = this.cards[from];
    if (!card || to < 0 || to >= this.cards.length || to === from) return;
    const rest = this.cards.filter((_, i) => i !== from);
    this.nextFocus = `grip-${to}`;
    this.put(
      [...rest.slice(0, to), card, ...rest.slice(to)],
      `${card.item.name} moved to place ${to + 1} of ${this.cards.length}.`,
    );
  }

  private changeSetting(at: number, key: string, value: string): void {
    this.put(
      this.cards.map((card, i) =>
        i === at ? { ...card, settings: { ...card.settings, [key]: value } } : card,
      ),
    );
  }

  private apply({ change, label }: Remedy, at: number): void {
    const [before, after] = [this.cards.slice(0, at), this.cards.slice(at + 1)];
    const card = this.cards[at] as Card;
    this.nextFocus = `grip-${change.kind === 'put back' ? at + 1 : at}`;
    if (change.kind === 'leave out') this.put([...before, ...after], label);
    else if (change.kind === 'replace')
      this.put([...before, newCard(change.by, change.marks), ...after], label);
    else if (change.kind === 'put back') this.put([...before, card, newCard('w'), ...after], label);
    else {
      const settings = { ...card.settings, [change.key]: change.to };
      this.put([...before, { ...card, settings }, ...after], label);
    }
  }

  private choose(gap: number): void {
    this.gap = gap;
    this.nextFocus = `gap-${gap}`;
    void this.scene.set({});
  }

  // ── Examples and data

  private fillChoices(): void {
    const select = this.scene.slot('presets') as HTMLSelectElement;
    const groups = [...new Set(presets.map(({ group }) => group))];
    select.append(
      h('option', { value: '', hidden: true }, 'A model of your own'),
      ...groups.map((group) =>
        h(
          'optgroup',
          { label: group },
          ...presets
            .filter((each) => each.group === group)
            .map(({ id, title }) => h('option', { value: id }, title)),
        ),
      ),
    );
    // The menu is not a setting of the model; it sets the other controls.
    select.addEventListener('input', (event) => event.stopPropagation());
    select.addEventListener('change', (event) => {
      event.stopPropagation();
      const preset = presets.find(({ id }) => id === select.value);
      if (!preset) return;
      this.gap = 1;
      this.scene.set({
        model: preset.model,
        data: preset.data ?? 'words',
        steps: preset.steps ?? '',
      });
    });
  }

  private showPreset({ preset, hasSentences, readsSentences }: State): void {
    (this.scene.slot('presets') as HTMLSelectElement).value = preset?.id ?? '';
    this.scene.put(
      'see',
      ...(rich(
        preset?.see ?? 'Follow the line downwards: solid with a mask, dotted without one.',
      ) as (Node | string)[]),
      hasSentences && !readsSentences
        ? ' It has numbers of its own, not the batch of chapter 2.'
        : '',
    );
  }
}
