// SPDX-License-Identifier: MIT
// The time control: play, step or drag. The setting `at` is the number of steps read minus one.
import type { Scene } from '../../shared/chapter.js';
import { find } from '../../shared/dom.js';
import { drive } from '../../shared/settings.js';

/** Milliseconds per step while playing. */
const pace = 650;

export function atOf({ settings }: Pick<Scene, 'settings'>, steps: number): number {
  return settings.integer('at', 0, steps - 1) ?? steps - 1;
}

export function showTime({ section }: Scene, at: number, steps: number, readout: string): void {
  const range = find<HTMLInputElement>('.scrubber input', section);
  range.max = String(steps - 1);
  range.value = String(at);
  range.setAttribute('aria-valuetext', readout);
  find('[data-slot="readout"]', section).textContent = readout;
}

export function followTime(scene: Scene): void {
  const { section } = scene;
  const form = find<HTMLFormElement>('form', section);
  const range = find<HTMLInputElement>('.scrubber input', section);
  const play = find<HTMLButtonElement>('[data-play]', section);
  let timer: ReturnType<typeof setInterval> | undefined;
  const last = () => Number(range.max);
  const now = () => Number(range.value);
  const go = (at: number, how: 'changing' | 'done') =>
    drive(form, 'at', String(Math.min(last(), Math.max(0, at))), how);
  const stop = () => {
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    play.textContent = 'Play';
    form.dispatchEvent(new Event('change', { bubbles: true }));
  };
  play.addEventListener('click', () => {
    if (timer !== undefined) {
      stop();
      return;
    }
    go(now() >= last() ? 0 : now() + 1, 'changing');
    play.textContent = 'Pause';
    timer = setInterval(() => {
      go(now() + 1, 'changing');
      if (now() >= last()) stop();
    }, pace);
  });
  // Visitors who prefer reduced motion use the other controls.
  play.hidden = matchMedia('(prefers-reduced-motion: reduce)').matches;
  range.addEventListener('pointerdown', stop);
  range.addEventListener('input', () => go(now(), 'changing'));
  range.addEventListener('change', () =>
    form.dispatchEvent(new Event('change', { bubbles: true })),
  );
  for (const button of section.querySelectorAll<HTMLButtonElement>('.scrubber [data-step]')) {
    button.addEventListener('click', () => {
      stop();
      go(now() + Number(button.dataset['step']), 'done');
    });
  }
}
