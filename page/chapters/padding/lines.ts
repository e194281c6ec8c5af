// SPDX-License-Identifier: MIT
// The same line in both languages, each with a button that copies it.
import type { Scene } from '../../shared/chapter.js';
import { copyText } from '../../shared/code.js';
import { h } from '../../shared/dom.js';
import { type Language, highlight } from '../../shared/highlight.js';

export interface Line {
  language: Language;
  name: string;
  text: string;
}

export function drawLines(scene: Scene, lines: Line[]): void {
  const slot = scene.slot('lines');
  // Whoever has just copied keeps the button under the finger.
  if (slot.dataset['text'] === JSON.stringify(lines)) return;
  slot.dataset['text'] = JSON.stringify(lines);
  slot.replaceChildren(...lines.map(lineOf));
}

function lineOf({ language, name, text }: Line): HTMLElement {
  const heard = h('span', { class: 'hint', role: 'status' });
  const copy = h('button', { type: 'button' }, 'Copy', h('span', { class: 'unseen' }, ` ${name}`));
  copy.addEventListener('click', async () => {
    heard.textContent = (await copyText(text)) ? 'Copied' : 'Not allowed here; select it instead';
  });
  const code = h('code', {}, ...highlight(text, language));
  return h(
    'div',
    {},
    h('p', { class: 'row' }, h('span', { class: 'label' }, `The line in ${name}`), copy, heard),
    h('pre', { tabindex: 0, 'aria-label': `The line in ${name}` }, code),
  );
}
