// SPDX-License-Identifier: MIT
import { find } from '../shared/dom.js';
import type { Panel, Scene } from '../shared/panel.js';
import { drawOwn, listenForFiles } from '../models/own.js';
import { drawTrained, listenForExamples } from '../models/trained.js';

const section = '#models';
// A file is fetched when somebody comes near the panel, not before.
let near = false;
let listening = false;

export const models: Panel = {
  id: 'models',
  draw(scene) {
    listen(scene);
    const chosen = scene.settings.text('model');
    const box = find(section);
    const controls = box.querySelectorAll<HTMLElement>('[data-for], [data-loaded]');
    const show = (loaded: boolean) => {
      box.setAttribute('aria-busy', String(!loaded && near && chosen !== 'own'));
      for (const each of controls) {
        const kinds = each.dataset['for']?.split(' ') ?? [chosen];
        const waits = each.dataset['loaded'] !== undefined && !loaded;
        each.hidden = waits || !kinds.includes(chosen);
      }
    };
    show(false);
    try {
      const drawn = chosen === 'own' ? drawOwn(scene) : near ? drawTrained(scene) : undefined;
      show(drawn !== undefined);
      if (!drawn) clear(scene);
      return drawn;
    } catch (error) {
      box.setAttribute('aria-busy', 'false');
      throw error;
    }
  },
};

/** Nothing to see yet. */
function clear({ put }: Scene): void {
  for (const name of ['asked', 'answers', 'flow', 'summary', 'recorded', 'table']) put(name);
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
