// SPDX-License-Identifier: MIT
// Keeps the chapter that a link named at its place while chapters above it are drawn and grow.

const isComplete = (): boolean => 'complete' in document.documentElement.dataset;

let target: HTMLElement | undefined;

/** Drops the target: from now on the visitor decides what is on the screen. */
const drop = (): void => {
  target = undefined;
};

/** Scrolls to a chapter, and again after each figure, until the visitor acts or all are loaded. */
export function aimAt(chapter: HTMLElement, behavior: ScrollBehavior): void {
  target = isComplete() ? undefined : chapter;
  chapter.scrollIntoView({ behavior });
}

export function followAim(): void {
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(type, drop, { capture: true, passive: true });
  document.addEventListener('drawn', () => {
    if (!target) return;
    // A visitor who drags the bar of the window sends no events. Such moves are longer.
    if (Math.abs(target.getBoundingClientRect().top) < innerHeight) target.scrollIntoView();
    if (isComplete()) drop();
  });
}
