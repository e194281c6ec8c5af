// SPDX-License-Identifier: MIT
// Sizes for drawings, which are smaller in the frame of a single figure (embed.ts).

/** Chapters also run in Node, which has no document. */
const root = () => document.documentElement;

/** Sets the scale of a figure in a frame. */
export function setScale(scale: number): void {
  root().style.setProperty('--scale', String(scale));
}

/** Width of the page, as observed; reading it after a change would lay out the page. */
let observed: number | undefined;
let isObserved = false;

function widthOfPage(): number {
  if (!isObserved) observeWidth();
  return observed ?? root().clientWidth;
}

function observeWidth(): void {
  isObserved = true;
  new ResizeObserver(() => {
    observed = root().clientWidth;
  }).observe(root());
  const forget = () => {
    observed = undefined;
  };
  // Handlers of a new size draw before observers see it.
  addEventListener('resize', forget, { capture: true });
}

/** Returns the width of the page inside its margins, in CSS pixels of a drawing. */
export function roomOfPage(): number {
  const scale = Number(root().style.getPropertyValue('--scale')) || 1;
  return widthOfPage() / scale - 40;
}

/**
 * Returns the width of the place of a drawing, so that its letters keep their size; `usual` for a
 * hidden place, and in the frame of a figure, which is scaled as a whole.
 */
export function widthOf(place: HTMLElement, usual: number): number {
  return (root().dataset['embed'] !== 'figure' && place.clientWidth) || usual;
}

/** Returns the height of a chart: at most `height`, and less in the frame of a figure. */
export function heightOfChart(height: number): number {
  if (root().dataset['embed'] !== 'figure') return height;
  return Math.min(height, root().clientWidth < 560 ? 170 : 208);
}
