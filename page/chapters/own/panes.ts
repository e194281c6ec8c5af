// SPDX-License-Identifier: MIT
// The two panes of a Python program and its translation. A line of either lights up its partner.
import type { PortNote, Ported } from 'maskflow/port';
import type { TraceEntry } from 'maskflow';
import { find } from '../../shared/dom.js';
import { type Unit, unitsOf } from './lines.js';
import { light, listing, reveal } from './listing.js';
import { marksOf } from './marks.js';

type Pane = 'python' | 'js';

export class Panes {
  readonly field: HTMLTextAreaElement;
  private readonly python: HTMLElement;
  private readonly js: HTMLElement;
  private units: Unit[] = [];
  private ported: Ported | undefined;
  private trace: readonly TraceEntry[] = [];
  private fault: number | undefined;
  private active = 0;

  constructor(private readonly section: HTMLElement) {
    this.field = find<HTMLTextAreaElement>('#own-python', section);
    this.python = find('[data-python-lines]', section);
    this.js = find('[data-js-lines]', section);
    this.listen();
  }

  /** Shows a text and its translation; without one, the text alone, with the line of its error. */
  show(text: string, ported: Ported | undefined, fault?: number): void {
    if (this.field.value !== text) this.field.value = text;
    this.ported = ported;
    this.fault = fault === undefined ? undefined : fault - 1;
    this.trace = [];
    this.units = ported ? unitsOf(text, ported.code.trimEnd(), ported.lines) : [];
    this.draw();
  }

  /** Shows the text while it is being translated. */
  typing(): void {
    this.fault = undefined;
    this.trace = [];
    this.drawPython();
  }

  /** Marks the lines whose layers make, use or lose the mask. */
  mark(trace: readonly TraceEntry[]): void {
    if (trace === this.trace) return;
    this.trace = trace;
    this.draw();
  }

  private draw(): void {
    this.drawPython();
    const code = this.ported?.code.trimEnd() ?? '';
    find('[data-js]', this.section).hidden = !this.ported;
    this.section.classList.toggle('translated', this.ported !== undefined);
    const notes = new Map<number, PortNote[]>();
    for (const note of this.ported?.notes ?? []) {
      const unit = this.units.findLast(({ python }) => python.some((at) => at <= note.line - 1));
      const at = unit?.js[0] ?? 0;
      notes.set(at, [...(notes.get(at) ?? []), note]);
    }
    const marks = marksOf(code, 'js', this.trace);
    this.js.replaceChildren(
      ...listing(code, { language: 'js', marks, notes, options: 'own-line' }),
    );
    this.js.removeAttribute('aria-activedescendant');
    this.active = 0;
  }

  private drawPython(): void {
    const text = this.field.value;
    const notes = new Map<number, PortNote[]>();
    for (const note of this.ported?.notes ?? []) notes.set(note.line - 1, [note]);
    const marks = marksOf(text, 'python', this.trace);
    const fault = this.fault;
    this.python.replaceChildren(
      ...listing(text, { language: 'python', marks, notes, ...(fault !== undefined && { fault }) }),
    );
  }

  /** Lights up a line and its partner; reveals the partner if it is out of view. */
  private choose(pane: Pane, index: number | undefined): void {
    const unit =
      index === undefined ? undefined : this.units.find((each) => each[pane].includes(index));
    const python = light(this.python.children, unit?.python ?? []);
    const js = light(this.js.children, unit?.js ?? []);
    if (!unit) return;
    if (pane === 'python') reveal(js, this.js);
    else reveal(python, find('[data-python-pane]', this.section));
  }

  private listen(): void {
    const { field, js } = this;
    const atPointer = (event: PointerEvent) => {
      const { top, height } = this.python.getBoundingClientRect();
      const lines = this.python.children.length;
      const index = Math.floor(((event.clientY - top) / height) * lines);
      if (lines > 0) this.choose('python', index);
    };
    field.addEventListener('pointermove', atPointer);
    field.addEventListener('pointerleave', () => this.chooseCaret());
    for (const type of ['keyup', 'click', 'focus'])
      field.addEventListener(type, () => this.chooseCaret());
    js.addEventListener('pointermove', (event) => {
      const line = (event.target as Element).closest('.line');
      if (line) this.choose('js', [...js.children].indexOf(line));
    });
    js.addEventListener('pointerleave', () => this.choose('js', undefined));
    js.addEventListener('focus', () => this.go(this.active));
    js.addEventListener('keydown', (event) => {
      const { length } = js.children;
      const to = { ArrowUp: this.active - 1, ArrowDown: this.active + 1, Home: 0, End: length - 1 };
      const next = to[event.key as keyof typeof to];
      if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.go(Math.min(Math.max(next, 0), length - 1));
    });
  }

  /** Chooses the line of the caret. */
  private chooseCaret(): void {
    const { field } = this;
    const isFocused = document.activeElement === field;
    const before = field.value.slice(0, field.selectionStart);
    this.choose('python', isFocused ? before.split('\n').length - 1 : undefined);
  }

  /** Moves to a line of the JavaScript by the keyboard. */
  private go(index: number): void {
    const line = this.js.children[index];
    if (!line) return;
    this.active = index;
    this.js.setAttribute('aria-activedescendant', line.id);
    this.choose('js', index);
    line.setAttribute('aria-selected', 'true');
    line.classList.add('partner');
    reveal(line, this.js);
  }
}
