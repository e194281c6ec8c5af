// SPDX-License-Identifier: MIT
// A batch that can be painted by dragging over its cells or by keys. One cell is the tab stop;
// arrows move it, Space paints, Shift with an arrow moves and paints.
import { h } from './dom.js';
import { captionOf, headOf, rowHead, scrollable, wordInCell } from './grid.js';

export interface PaintCell {
  word: string;
  text: string;
  masked: boolean;
  link: string;
  /** Text for screen readers after the word and the number, such as 'masked'. */
  state: string;
  /** Further classes, such as those of the step on view or of a NaN. */
  classes?: string;
}

export interface PaintOptions {
  caption: string;
  detail?: string;
  /** Called for each cell of a stroke; `first` marks the start of the stroke. */
  paint(row: number, step: number, first: boolean): void;
  /** Called at the end of a stroke. */
  done(): void;
}

const arrows: { [key: string]: [number, number] } = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, Number.NEGATIVE_INFINITY],
  End: [0, Number.POSITIVE_INFINITY],
};

export class PaintGrid {
  private cells: HTMLElement[][] = [];
  private shape = '';
  /** Row and step of the tab stop. */
  private at: [number, number] = [0, 0];
  private stroke: string | undefined;
  /** True while a finger is on a table wider than the screen: dragging scrolls it, a tap paints. */
  private tapping = false;

  constructor(
    private readonly slot: HTMLElement,
    private readonly options: PaintOptions,
  ) {
    slot.classList.add('paint');
    slot.addEventListener('pointerdown', (event) => this.press(event));
    slot.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
      slot.addEventListener(end, () => this.lift());
    slot.addEventListener('click', (event) => this.tap(event));
    slot.addEventListener('keydown', (event) => this.key(event));
  }

  /** Draws the cells; `names` are the headings of the rows. */
  draw(cells: readonly (readonly PaintCell[])[], names?: readonly string[]): void {
    const shape = JSON.stringify([cells.map((row) => row.length), names]);
    if (shape !== this.shape) this.build(cells, names);
    this.shape = shape;
    cells.forEach((row, b) => {
      row.forEach((cell, t) => {
        show(this.cells[b]?.[t], cell);
      });
    });
  }

  /** Builds a new table and keeps the tab stop at the same or the nearest cell. */
  private build(cells: readonly (readonly PaintCell[])[], names: readonly string[] = []): void {
    const focused = this.slot.contains(document.activeElement);
    this.cells = cells.map((row) => row.map(() => h('td', { role: 'gridcell', tabindex: -1 })));
    const steps = cells[0]?.length ?? 0;
    const { caption, detail } = this.options;
    const table = h(
      'table',
      { class: 'grid', role: 'grid' },
      captionOf({ caption, ...(detail !== undefined && { detail }) }),
      h('colgroup', {}, h('col')),
      headOf({ columns: Array.from({ length: steps }, (_, t) => `step ${t}`) }),
    );
    const body = table.createTBody();
    this.cells.forEach((row, b) => {
      body.append(h('tr', {}, rowHead(names[b] ?? `row ${b}`), ...row));
    });
    this.slot.replaceChildren(scrollable(table, caption));
    this.stop(this.at[0], this.at[1]);
    if (focused) this.current()?.focus({ preventScroll: true });
  }

  private current(): HTMLElement | undefined {
    return this.cells[this.at[0]]?.[this.at[1]];
  }

  /** Moves the tab stop to a cell, or to the nearest one that exists. */
  private stop(row: number, step: number): void {
    this.current()?.setAttribute('tabindex', '-1');
    const b = Math.max(0, Math.min(this.cells.length - 1, row));
    const t = Math.max(0, Math.min((this.cells[b]?.length ?? 1) - 1, step));
    this.at = [b, t];
    for (const cell of this.cells.flat()) cell.setAttribute('tabindex', '-1');
    this.current()?.setAttribute('tabindex', '0');
  }

  private find(element: Element | null): [number, number] | undefined {
    const td = element?.closest('td');
    for (let b = 0; b < this.cells.length; b++) {
      const t = this.cells[b]?.indexOf(td as HTMLElement) ?? -1;
      if (t >= 0) return [b, t];
    }
    return undefined;
  }

  private press(event: PointerEvent): void {
    const cell = event.button === 0 && this.find(event.target as Element);
    if (!cell) return;
    const box = this.slot.querySelector('.scroll');
    this.tapping =
      event.pointerType === 'touch' && box !== null && box.scrollWidth > box.clientWidth + 1;
    if (this.tapping) return;
    event.preventDefault();
    this.stop(...cell);
    this.current()?.focus({ preventScroll: true });
    this.slot.setPointerCapture(event.pointerId);
    this.stroke = cell.join();
    this.options.paint(cell[0], cell[1], true);
  }

  private tap({ target }: MouseEvent): void {
    const cell = this.tapping && this.find(target as Element);
    if (!cell) return;
    this.stop(...cell);
    this.options.paint(cell[0], cell[1], true);
    this.options.done();
  }

  private move({ clientX, clientY }: PointerEvent): void {
    if (this.stroke === undefined) return;
    const cell = this.find(document.elementFromPoint(clientX, clientY));
    if (!cell || cell.join() === this.stroke) return;
    this.stroke = cell.join();
    this.stop(...cell);
    this.options.paint(cell[0], cell[1], false);
  }

  private lift(): void {
    if (this.stroke === undefined) return;
    this.stroke = undefined;
    this.options.done();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.find(event.target as Element))
      return;
    const by = arrows[event.key];
    if (by) {
      event.preventDefault();
      this.stop(this.at[0] + by[0], this.at[1] + by[1]);
      this.current()?.focus();
      if (event.shiftKey) {
        this.options.paint(this.at[0], this.at[1], false);
        this.options.done();
      }
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      this.options.paint(this.at[0], this.at[1], true);
      this.options.done();
    }
  }
}

/** Updates a cell if it changed: a screen reader would announce it again otherwise. */
function show(td: HTMLElement | undefined, cell: PaintCell): void {
  if (!td) return;
  const look = `${cell.masked ? 'masked' : 'kept'} ${cell.classes ?? ''}`.trim();
  const content = JSON.stringify([look, cell.word, cell.text, cell.state]);
  td.dataset['link'] = cell.link;
  if (td.dataset['said'] === content) return;
  td.dataset['said'] = content;
  td.className = td.classList.contains('lit') ? `${look} lit` : look;
  td.replaceChildren(
    wordInCell(cell.word),
    h('span', { class: 'id' }, cell.text),
    h('span', { class: 'unseen' }, ` ${cell.state}`),
  );
}
