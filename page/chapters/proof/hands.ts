// SPDX-License-Identifier: MIT
// Hands on the toy: dragging anywhere in the row or the chart moves the edge by the distance, and
// a tap fills the places up to its own, or empties its place. The slider itself is for keys.

/** Facts and actions of the toy that the hands use. */
export interface Grip {
  /** The element that contains the row and the chart. */
  toy: HTMLElement;
  /** The element with the places, which are equally wide. */
  places: HTMLElement;
  /** Number of places in the row. */
  near: number;
  /** Returns the number of zeros, and the number at the right end of the chart. */
  now(): { pads: number; end: number };
  move(pads: number, how: 'changing' | 'done'): void;
}

interface Drag {
  x: number;
  pads: number;
  isMoved: boolean;
}

/** Distance in pixels from which a press counts as a drag. */
const slack = 5;

export function followHands(grip: Grip): void {
  const { toy } = grip;
  let drag: Drag | undefined;
  toy.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    drag = { x: event.clientX, pads: grip.now().pads, isMoved: false };
    toy.setPointerCapture(event.pointerId);
  });
  toy.addEventListener('pointermove', ({ clientX }) => {
    if (!drag) return;
    drag.isMoved ||= Math.abs(clientX - drag.x) >= slack;
    if (drag.isMoved) moveTo(grip, draggedTo(grip, drag, clientX), 'changing');
  });
  toy.addEventListener('pointerup', (event) => {
    if (!drag) return;
    const pads = drag.isMoved ? draggedTo(grip, drag, event.clientX) : tapped(grip, event);
    drag = undefined;
    if (pads !== undefined) moveTo(grip, pads, 'done');
  });
  // A finger that scrolls the page takes back what it moved.
  toy.addEventListener('pointercancel', () => {
    if (drag?.isMoved) moveTo(grip, drag.pads, 'done');
    drag = undefined;
  });
}

function moveTo(grip: Grip, pads: number, how: 'changing' | 'done'): void {
  const { pads: now, end } = grip.now();
  const next = Math.min(end, Math.max(0, pads));
  if (next !== now || how === 'done') grip.move(next, how);
}

function draggedTo({ places, near }: Grip, { x, pads }: Drag, to: number): number {
  return pads + Math.round((to - x) / (places.clientWidth / near));
}

/** Returns the number of zeros after a tap; undefined if it hits nothing that can change. */
function tapped(grip: Grip, { clientX, clientY }: PointerEvent): number | undefined {
  const { pads, end } = grip.now();
  const box = grip.places.getBoundingClientRect();
  const share = (clientX - box.left) / box.width;
  if (clientY > box.bottom) return share >= 0 && share <= 1 ? Math.round(share * end) : undefined;
  if (share < 0 || share >= 1) return undefined;
  const place = Math.floor(share * grip.near);
  return place < pads ? place : place + 1;
}
