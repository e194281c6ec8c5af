// SPDX-License-Identifier: MIT
// The fall plays once by itself when the page opens with the toy in view: after a moment, a zero
// slides in. It can be paused and played again; it does not begin under reduced motion, in frames,
// or with settings in the address.
import { readPlace } from '../../shared/address.js';

/** Milliseconds before the zero comes, so that both needles are seen upright first. */
const pause = 1400;

export interface Play {
  section: HTMLElement;
  button: HTMLButtonElement;
  /** Sets the number of zeros without an entry in the history. */
  set(pads: number): void;
  /** Whether the row still has no zeros: a link may have set some meanwhile. */
  isAtStart(): boolean;
}

export function followPlay({ section, button, set, isAtStart }: Play): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (isPlaying: boolean) => {
    button.textContent = isPlaying ? 'Pause' : 'Play again';
    button.hidden = false;
  };
  const stop = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    say(false);
  };
  const begin = () => {
    clearTimeout(timer);
    say(true);
    timer = setTimeout(() => {
      stop();
      if (isAtStart()) set(1);
    }, pause);
  };
  button.addEventListener('click', () => {
    if (timer !== undefined) return stop();
    set(0);
    begin();
  });
  // Any use of the chapter takes over.
  const taken = ({ target, isTrusted }: Event) => {
    if (isTrusted && target !== button) stop();
  };
  for (const type of ['pointerdown', 'keydown', 'input'] as const)
    section.addEventListener(type, taken);
  const offer = () => {
    if (mayBegin(section)) begin();
    else if (isPlain() && moves()) button.hidden = false;
  };
  section.addEventListener('drawn', offer, { once: true });
}

/** Whether the address is that of the page, without settings. */
const isPlain = (): boolean =>
  !/[?]/.test(location.hash) && !new URLSearchParams(location.search).has('embed');

const moves = (): boolean => matchMedia('(prefers-reduced-motion: no-preference)').matches;

/** Whether the address names no other chapter, to which the page may still have to scroll. */
const isHere = (): boolean => ['', 'proof', '0'].includes(readPlace(location.hash).chapter);

/** Whether the fall may play without a request. */
function mayBegin(section: HTMLElement): boolean {
  const { top, bottom } = section.getBoundingClientRect();
  return (
    isPlain() &&
    isHere() &&
    moves() &&
    top < innerHeight &&
    bottom > 0 &&
    document.visibilityState === 'visible'
  );
}
