// SPDX-License-Identifier: MIT
// The bird's-eye view of the drawing, beside it: each cell, layer and line in its place, a frame
// around what is on the screen, and a link for each chapter of the drawing.
import { find, h, s } from './dom.js';
import { canMoveDrawing } from './thread.js';

/** Elements that the view shows, each with its look there. */
const shapes: [selector: string, look: string][] = [
  ['div.strand', 'band'],
  ['.part td.kept', 'kept'],
  ['.part td.masked', 'masked'],
  ['.part .built .card.lost', 'lost'],
  ['.part .built .card:not(.lost)', 'card'],
  ['.part .track .ground', 'card'],
  ['.part .opened figure', 'cell'],
  ['.part td.chosen-step', 'chosen'],
];

export function birdsEye(): void {
  const parts = [...document.querySelectorAll<HTMLElement>('.part')];
  if (parts.length > 0) new BirdsEye(parts);
}

class BirdsEye {
  private readonly picture = s('svg', { 'aria-hidden': 'true' });
  private readonly frame = s('rect', { class: 'frame', rx: 4 });
  private readonly links: HTMLElement[];
  private readonly element: HTMLElement;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly parts: HTMLElement[]) {
    this.links = parts.map((part) => {
      const name = find(`.bar a[href="#${part.id}"]`).textContent.trim();
      return h('a', { href: `#${part.id}`, title: name }, h('span', { class: 'unseen' }, name));
    });
    this.element = h(
      'nav',
      { class: 'birds-eye', 'aria-label': 'The drawing of chapters 2 to 5', hidden: true },
      h('div', { class: 'map' }, this.picture, ...this.links),
    );
    find('main').append(this.element);
    document.addEventListener('drawn', ({ target }) => {
      if (canMoveDrawing(target as Element)) this.later();
    });
    addEventListener('resize', () => this.later());
    document.addEventListener('scroll', () => this.follow(), { passive: true });
    this.later();
  }

  /** Draws soon: several figures may change together. */
  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.draw(), 300);
  }

  /** Returns the area of the drawing, in pixels of the page. */
  private area(): DOMRect {
    const boxes = this.parts.map((part) =>
      (part.querySelector('.picture, .drawing') ?? part).getBoundingClientRect(),
    );
    const top = this.parts[0]?.getBoundingClientRect().top ?? 0;
    const bottom = this.parts.at(-1)?.getBoundingClientRect().bottom ?? 0;
    const [left, right] = [
      Math.min(...boxes.map((box) => box.left)),
      Math.max(...boxes.map((box) => box.right)),
    ];
    return new DOMRect(left, top + scrollY, right - left, bottom - top);
  }

  private draw(): void {
    const area = this.area();
    const place = (box: DOMRect) => ({
      x: Math.round(box.left - area.left),
      y: Math.round(box.top + scrollY - area.top),
      width: Math.round(box.width),
      height: Math.round(box.height),
    });
    const rects = shapes.flatMap(([selector, look]) =>
      [...document.querySelectorAll(selector)]
        .map((each) => each.getBoundingClientRect())
        .filter((box) => box.width > 0)
        .slice(0, 400)
        .map((box) => s('rect', { class: look, ...place(box) })),
    );
    this.picture.setAttribute('viewBox', `0 0 ${area.width} ${area.height}`);
    this.picture.replaceChildren(...rects, this.frame);
    this.frame.setAttribute('width', String(area.width));
    this.frame.setAttribute('height', String(Math.min(innerHeight, area.height)));
    this.parts.forEach((part, index) => {
      const { top, height } = part.getBoundingClientRect();
      const link = this.links[index];
      if (!link) return;
      link.style.top = `${(100 * (top + scrollY - area.top)) / area.height}%`;
      link.style.height = `${(100 * height) / area.height}%`;
    });
    this.follow();
  }

  /** Moves the frame, and shows the view while the drawing fills the screen. */
  private follow(): void {
    const { top, bottom } = {
      top: this.parts[0]?.getBoundingClientRect().top ?? 0,
      bottom: this.parts.at(-1)?.getBoundingClientRect().bottom ?? 0,
    };
    this.element.hidden = top > innerHeight * 0.5 || bottom < innerHeight * 0.5;
    this.frame.setAttribute('y', String(Math.round(-top)));
  }
}
