// SPDX-License-Identifier: MIT
// Buttons of a chapter that runs on demand: <button data-run="run">, and optionally stop, pause and
// step. While the program is paused, the pause button reads Continue.
import type { Scene } from './chapter.js';
import { find } from './dom.js';

type Action = 'run' | 'stop' | 'pause' | 'step';

export function runButtons(scene: Scene): void {
  const buttons = new Map<Action, HTMLButtonElement>();
  for (const button of scene.section.querySelectorAll<HTMLButtonElement>('[data-run]')) {
    buttons.set(button.dataset['run'] as Action, button);
    button.addEventListener('click', () => act(button.dataset['run'] as Action));
  }
  const names = {
    run: buttons.get('run')?.textContent ?? 'Run',
    pause: 'Pause',
    again: buttons.get('run')?.dataset['again'] ?? 'Run again',
  };
  let running = false;
  let paused = false;
  let ran = false;

  const show = () => {
    // A focused button must not disappear: all buttons stay, and idle ones get aria-disabled.
    for (const [action, button] of buttons) {
      const idle = action === 'stop' || action === 'pause';
      button.setAttribute('aria-disabled', String(idle && !running));
    }
    const run = buttons.get('run');
    if (run) run.textContent = ran || running ? names.again : names.run;
    const pause = buttons.get('pause');
    if (pause) pause.textContent = paused ? 'Continue' : names.pause;
  };

  const setPaused = (value: boolean) => {
    paused = value;
    show();
  };

  const act = (action: Action) => {
    if (action === 'run') void scene.run();
    else if (action === 'stop' && running) scene.stop();
    else if (action === 'pause' && running) {
      if (scene.control(paused ? 'go' : 'pause')) setPaused(!paused);
    } else if (action === 'step') {
      // The first press of Step starts the program.
      if (!running) void scene.run();
      void retry(() => scene.control('step')).then((accepted) => accepted && setPaused(true));
    }
  };

  scene.section.addEventListener('running', (event) => {
    running = (event as CustomEvent<boolean>).detail;
    ran ||= !running;
    setPaused(false);
  });
  show();
}

/** Time in milliseconds for which a figure must rest in the middle of the screen to be seen. */
const glance = 400;

/**
 * Runs the chapter once when its figure is first seen, unless the visitor has already run it. A
 * figure that only passes by, on the way to another chapter, is not seen. A visitor who prefers
 * reduced motion starts a run that moves with the button; a quiet run shows nothing before its end,
 * and does not answer the question of the chapter.
 */
export function runWhenSeen(scene: Scene, { quietly = false } = {}): void {
  if (!quietly && matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isNear = false;
  const rest = () => {
    const place = scrollY;
    timer = setTimeout(() => {
      // A slow machine may not have drawn a frame in this time.
      requestAnimationFrame(() => {
        if (!isNear) return;
        if (scrollY === place) run();
        else rest();
      });
    }, glance);
  };
  const run = () => {
    leave();
    // A link may contain an edited program, which only the visitor starts.
    if (scene.settings.text('code') === '') void scene.run({ quietly });
  };
  const seen = new IntersectionObserver(
    (entries) => {
      isNear = entries.at(-1)?.isIntersecting ?? false;
      clearTimeout(timer);
      if (isNear) rest();
    },
    { rootMargin: '-25% 0px -35% 0px' },
  );
  seen.observe(find('form', scene.section));
  const leave = () => {
    isNear = false;
    clearTimeout(timer);
    seen.disconnect();
  };
  scene.section.addEventListener('running', leave, { once: true });
}

/** Calls `send` until it returns true, for at most 2 s: another program may have to end first. */
async function retry(send: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    if (send()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
