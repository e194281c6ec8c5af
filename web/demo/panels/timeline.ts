// SPDX-License-Identifier: MIT
// One column per step: a switch on top, under it the value of each unit as a line that goes flat, dashed
// and over hatching where the step is masked.
import { h, s } from '../shared/dom.js';
import { captionOf, headOf, rowHead, scrollable } from '../shared/grid.js';
import { decimal } from '../shared/text.js';

export interface Picture {
  words: string[];
  mask: boolean[];
  /** Which step of the row stands at each position. */
  order: number[];
  /** Per position, per unit. */
  outputs: number[][];
  onlyLast: boolean;
}

const [columnWidth, height] = [10, 40];

export function timeline(
  slot: HTMLElement,
  readout: HTMLElement,
  picture: Picture,
  flip: (step: number) => void,
): void {
  const { order, outputs } = picture;
  const focused = slot.contains(document.activeElement) ? document.activeElement : null;
  const place = (focused as HTMLElement | null)?.dataset['step'];
  const units = outputs[0]?.length ?? 0;
  const reach = Math.max(1e-9, ...outputs.flat().map(Math.abs));
  const box = h('div', { class: picture.onlyLast ? 'timeline faint' : 'timeline' });
  box.style.setProperty('--steps', String(order.length));

  box.append(
    h('span', { class: 'label' }, 'keep?'),
    ...order.map((step) => toggle(picture, step, flip)),
  );
  for (let unit = 0; unit < units; unit++) {
    box.append(
      h('span', { class: 'unit' }, `unit ${unit}`, h('small', {}, `±${decimal(reach, 2)}`)),
      ...order.map((step, k) => h('span', { class: tone(picture, step), 'data-position': k })),
      plot(picture, unit, reach),
    );
  }
  const tell = (event: Event) => {
    const position = (event.target as HTMLElement).closest<HTMLElement>('[data-position]')?.dataset[
      'position'
    ];
    if (position !== undefined) readout.textContent = describe(picture, Number(position));
  };
  box.addEventListener('pointerover', tell);
  box.addEventListener('focusin', tell);
  readout.textContent = 'Point at a step, or move there with Tab, to read its numbers.';
  slot.replaceChildren(scrollable(box, 'Outputs over time'));
  if (place !== undefined) box.querySelector<HTMLElement>(`[data-step="${place}"]`)?.focus();
}

function toggle(
  { words, mask, order }: Picture,
  step: number,
  flip: (step: number) => void,
): HTMLElement {
  const keep = mask[step] ?? true;
  const button = h(
    'button',
    {
      type: 'button',
      class: keep ? 'step' : 'step masked',
      'aria-pressed': String(keep),
      'data-step': step,
      'data-position': order.indexOf(step),
    },
    h('span', { class: 'unseen' }, `keep step ${step}, `),
    h('span', { class: 'word' }, words[step] ?? ''),
    h('span', {}, keep ? 'T' : 'F'),
  );
  button.addEventListener('click', () => flip(step));
  return button;
}

const tone = ({ mask }: Picture, step: number) => (mask[step] ? 'ground' : 'ground masked');

/** The line of one unit. It is stretched to the width of the columns; its strokes are not. */
function plot({ outputs, order, mask }: Picture, unit: number, reach: number): SVGSVGElement {
  const width = order.length * columnWidth;
  const y = (k: number) => height / 2 - ((outputs[k]?.[unit] ?? 0) / reach) * (height / 2 - 3);
  const svg = s('svg', {
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  });
  svg.append(s('line', { class: 'zero', x1: 0, x2: width, y1: height / 2, y2: height / 2 }));
  order.forEach((step, k) => {
    if (k > 0) {
      svg.append(
        s('line', {
          class: 'rise',
          x1: k * columnWidth,
          x2: k * columnWidth,
          y1: y(k - 1),
          y2: y(k),
        }),
      );
    }
    const last = k === order.length - 1 ? ' last' : '';
    const kind = `${mask[step] ? 'live' : 'held'}${last}`;
    svg.append(
      s('line', {
        class: kind,
        x1: k * columnWidth,
        x2: (k + 1) * columnWidth,
        y1: y(k),
        y2: y(k),
      }),
    );
  });
  return svg;
}

function describe({ words, mask, order, outputs }: Picture, position: number): string {
  const step = order[position] ?? 0;
  const numbers = (outputs[position] ?? []).map((value) => decimal(value)).join(', ');
  return `Step ${step}, ${words[step]}, ${mask[step] ? 'kept' : 'masked'}: [${numbers}]`;
}

export function numbersTable(
  { words, mask, order, outputs }: Picture,
  state: ArrayLike<number>,
): HTMLElement {
  const units = outputs[0]?.map((_, unit) => `unit ${unit}`) ?? [];
  const table = h(
    'table',
    { class: 'numbers' },
    captionOf({
      caption: 'Outputs',
      detail: 'in the order in which the layer reads; then the state it ends with',
    }),
    headOf({ columns: ['mask', ...units], corner: 'step' }),
  );
  const body = table.createTBody();
  order.forEach((step, k) => {
    const cells = (outputs[k] ?? []).map((value) => h('td', {}, h('span', {}, decimal(value))));
    const keep = h('td', {}, h('span', {}, mask[step] ? 'T' : 'F'));
    body.append(
      h(
        'tr',
        { class: mask[step] ? undefined : 'masked' },
        rowHead(`${step} ${words[step]}`),
        keep,
        ...cells,
      ),
    );
  });
  const final = Array.from(state).map((value) => h('td', {}, decimal(value)));
  body.append(h('tr', { class: 'total' }, rowHead('final state'), h('td'), ...final));
  return scrollable(table, 'Outputs');
}
