// SPDX-License-Identifier: MIT
import { find } from '../shared/dom.js';
import type { Panel, Scene } from '../shared/panel.js';
import { drawOwn, isOpen, listenForFiles } from '../models/own.js';
import { drawTrained, listenForExamples } from '../models/trained.js';

const section = '#models';
const slots = ['file', 'asked', 'answers', 'flow', 'summary', 'recorded', 'table'];
// A file is fetched when somebody comes near the panel, not before.
let near = false;
let listening = false;

export const models: Panel = {
  id: 'models',
  draw(scene) {
    listen(scene);
    const chosen = scene.settings.text('model');
    const box = find(section);
    box.setAttribute('aria-busy', 'false');
    clear(scene);
    try {
      if (chosen === 'own') return drawOwn(scene);
      if (!near) return undefined;
      const drawn = drawTrained(scene);
      box.setAttribute('aria-busy', String(!drawn));
      return drawn;
    } finally {
      show(box, chosen);
    }
  },
};

function clear({ put }: Scene): void {
  for (const name of slots) put(name);
}

/** What belongs to the chosen model, and of that nothing that is empty. */
function show(box: HTMLElement, chosen: string): void {
  for (const each of box.querySelectorAll<HTMLElement>('[data-for], details[data-filled]')) {
    const kinds = each.dataset['for']?.split(' ') ?? [chosen];
    const filled = each.querySelector('[data-slot]')?.hasChildNodes() ?? true;
    each.hidden = !kinds.includes(chosen) || !filled;
  }
  find('[data-opened]', box).hidden = chosen !== 'own' || !isOpen();
}

function listen({ redraw }: Scene): void {
  if (listening) return;
  listening = true;
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      near = true;
      seen.disconnect();
      redraw();
    },
    { rootMargin: '400px' },
  );
  seen.observe(find(section));
  listenForExamples();
  listenForFiles();
}
