// SPDX-License-Identifier: MIT
// Buttons of a chapter that waits to be asked: <button data-run="run">, and as many of stop, pause and step as it has. The one
// named `pause` is Go on while the program is held.
import type { Scene } from './chapter.js';

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
  let held = false;
  let ran = false;

  const show = () => {
    // The keyboard must not be left on a button that goes away: all stay, and say whether they do anything.
    for (const [action, button] of buttons) {
      const idle = action === 'stop' || action === 'pause';
      button.setAttribute('aria-disabled', String(idle && !running));
    }
    const run = buttons.get('run');
    if (run) run.textContent = ran || running ? names.again : names.run;
    const pause = buttons.get('pause');
    if (pause) pause.textContent = held ? 'Go on' : names.pause;
  };

  const hold = (wanted: boolean) => {
    held = wanted;
    show();
  };

  const act = (action: Action) => {
    if (action === 'run') void scene.run();
    else if (action === 'stop' && running) scene.stop();
    else if (action === 'pause' && running) {
      if (scene.control(held ? 'go' : 'pause')) hold(!held);
    } else if (action === 'step') {
      // Before the first step nothing runs yet.
      if (!running) void scene.run();
      void untilRunning(() => scene.control('step')).then((heard) => heard && hold(true));
    }
  };

  scene.section.addEventListener('running', (event) => {
    running = (event as CustomEvent<boolean>).detail;
    ran ||= !running;
    hold(false);
  });
  show();
}

/** Another program may have to end first. */
async function untilRunning(tell: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    if (tell()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
