// SPDX-License-Identifier: MIT
// Keeps the chapter that a link named at its place while chapters above it are drawn and grow.

const isComplete = (): boolean => 'complete' in document.documentElement.dataset;

let target: HTMLElement | undefined;
let hasArrived = false;

/** Whether the page is on its way to a chapter, or keeps it in place. */
export const isAiming = (): boolean => target !== undefined;

/** Drops the target: from now on the visitor decides what is on the screen. */
const drop = (): void => {
  target = undefined;
};

/** Scrolls to a chapter, and again after each figure, until the visitor acts or all are loaded. */
export function aimAt(chapter: HTMLElement, behavior: ScrollBehavior): void {
  target = isComplete() ? undefined : chapter;
  hasArrived = false;
  chapter.scrollIntoView({ behavior });
}

export function followAim(): void {
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(type, drop, { capture: true, passive: true });
  document.addEventListener('drawn', () => {
    if (!target) return;
    const distance = Math.abs(target.getBoundingClientRect().top);
    hasArrived ||= distance < 100;
    // A visitor who drags the bar of the window sends no events, but moves further than figures.
    if (!hasArrived || distance < innerHeight) target.scrollIntoView();
    if (isComplete()) drop();
  });
}
