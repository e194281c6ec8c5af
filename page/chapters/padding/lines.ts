// SPDX-License-Identifier: MIT
// The call of padSequences in both languages, each with a button that copies it.
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
  // Unchanged lines stay, so a button that was just pressed does not disappear.
  if (slot.dataset['text'] === JSON.stringify(lines)) return;
  slot.dataset['text'] = JSON.stringify(lines);
  slot.replaceChildren(...lines.map(lineOf));
}

function lineOf({ language, name, text }: Line): HTMLElement {
  const status = h('span', { class: 'hint', role: 'status' });
  const copy = h('button', { type: 'button' }, 'Copy', h('span', { class: 'unseen' }, ` ${name}`));
  copy.addEventListener('click', async () => {
    status.textContent = (await copyText(text))
      ? 'Copied'
      : 'Copying is not allowed here; select the line instead';
  });
  const code = h('code', {}, ...highlight(text, language));
  return h(
    'div',
    {},
    h('p', { class: 'row' }, h('span', { class: 'label' }, `The line in ${name}`), copy, status),
    h('pre', { tabindex: 0, 'aria-label': `The line in ${name}` }, code),
  );
}
