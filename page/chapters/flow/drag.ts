// SPDX-License-Identifier: MIT
// Dragging by pointer events, for mouse, pen and touch. The keyboard has its own keys and buttons.

export interface Drag {
  /** The element to drop on; its descendants with `data-gap` are the places, in order. */
  target: HTMLElement;
  onDrop(what: string, gap: number): void;
}

/**
 * Starts a drag of `what` when `handle` is pressed and moved; a press without a move is a click.
 */
export function draggable(handle: HTMLElement, what: string, drag: Drag): void {
  handle.addEventListener('pointerdown', (down) => {
    if (down.button !== 0) return;
    let moved = false;
    let gap = -1;
    const ending = new AbortController();
    const { signal } = ending;
    const move = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return;
      moved ||= Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 6;
      if (!moved) return;
      event.preventDefault();
      handle.classList.add('dragged');
      scrollNearEdges(event.clientY);
      gap = gapAt(drag.target, event);
      mark(drag.target, gap);
    };
    const end = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return;
      ending.abort();
      handle.classList.remove('dragged');
      mark(drag.target, -1);
      if (!moved) return;
      swallowClick();
      if (event.type === 'pointerup' && gap >= 0) drag.onDrop(what, gap);
    };
    document.addEventListener('pointermove', move, { signal, passive: false });
    document.addEventListener('pointerup', end, { signal });
    document.addEventListener('pointercancel', end, { signal });
  });
}

const gapsOf = (target: HTMLElement) => [...target.querySelectorAll<HTMLElement>('[data-gap]')];

/**
 * Returns the index of the place nearest to the pointer; -1 if the pointer is not over the target.
 */
function gapAt(target: HTMLElement, { clientX, clientY }: PointerEvent): number {
  const box = target.getBoundingClientRect();
  const near = 24;
  const outside =
    clientX < box.left - near ||
    clientX > box.right + near ||
    clientY < box.top - near ||
    clientY > box.bottom + near;
  if (outside) return -1;
  const distances = gapsOf(target).map((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return Math.abs((top + bottom) / 2 - clientY);
  });
  return distances.indexOf(Math.min(...distances));
}

function mark(target: HTMLElement, gap: number): void {
  gapsOf(target).forEach((element, at) => {
    element.classList.toggle('dropping', at === gap);
  });
}

function scrollNearEdges(y: number): void {
  const edge = 64;
  if (y < edge) window.scrollBy(0, -16);
  else if (y > window.innerHeight - edge) window.scrollBy(0, 16);
}

/** Ignores the click that browsers send after a drag on the same element. */
function swallowClick(): void {
  const ending = new AbortController();
  document.addEventListener('click', (event) => event.stopPropagation(), {
    capture: true,
    once: true,
    signal: ending.signal,
  });
  setTimeout(() => ending.abort(), 0);
}
