// SPDX-License-Identifier: MIT
// Explains words, and the arithmetic of numbers, on hover, focus and tap. One note is shown at a
// time: Escape, another press, leaving the word or scrolling it out of sight hides it, and the
// pointer may move onto it.
import { followNumbers } from './arithmetic.js';
import { h } from './dom.js';
import definitions from './words.json';

const texts: { [name: string]: string } = definitions;
const margin = 8;
/** Milliseconds that the pointer may take from the word to its note. */
const patience = 200;

type Explained = HTMLElement | SVGElement;

const wordAt = (target: EventTarget | null): Explained | null =>
  target instanceof Element ? target.closest<Explained>('[data-word], [data-arithmetic]') : null;

export function followWords(): void {
  const note = h('div', { class: 'word-note', id: 'word-note', role: 'tooltip', hidden: true });
  document.body.append(note);
  let shown: Explained | undefined;
  let leaving: ReturnType<typeof setTimeout> | undefined;
  const hide = () => {
    clearTimeout(leaving);
    shown?.removeAttribute('aria-describedby');
    shown = undefined;
    note.hidden = true;
  };
  const show = (word: Explained) => {
    clearTimeout(leaving);
    if (word === shown) return;
    hide();
    shown = word;
    note.textContent = word.dataset['arithmetic'] ?? texts[word.dataset['word'] ?? ''] ?? '';
    note.classList.toggle('sum', 'arithmetic' in word.dataset);
    note.hidden = false;
    word.setAttribute('aria-describedby', note.id);
    place(note, word);
  };
  document.addEventListener('pointerover', ({ target, pointerType }) => {
    if (pointerType === 'touch') return;
    const word = wordAt(target);
    if (word) show(word);
    else if (note.contains(target as Node)) clearTimeout(leaving);
  });
  document.addEventListener('pointerout', ({ target, pointerType }) => {
    if (pointerType === 'touch' || !shown) return;
    const isLeft = wordAt(target) === shown || note.contains(target as Node);
    if (isLeft && document.activeElement !== shown) leaving = setTimeout(hide, patience);
  });
  document.addEventListener('focusin', ({ target }) => {
    const word = wordAt(target);
    if (word) show(word);
    else hide();
  });
  document.addEventListener('click', ({ target }) => {
    const word = wordAt(target);
    if (word) show(word);
    else if (!note.contains(target as Node)) hide();
  });
  document.addEventListener('keydown', (event) => {
    const word = wordAt(event.target);
    if (event.key === 'Escape') hide();
    else if (word && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      show(word);
    }
  });
  // A browser scrolls to a word that the Tab key reaches: the note stays beside its word.
  const follow = () => {
    if (!shown) return;
    if (isInSight(shown)) place(note, shown);
    else hide();
  };
  document.addEventListener('scroll', follow, { passive: true, capture: true });
  document.addEventListener('drawn', follow);
  followNumbers();
}

/** Whether any part of an element is inside the window; false once it is out of the document. */
function isInSight(word: Explained): boolean {
  const { top, right, bottom, left } = word.getBoundingClientRect();
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
}

/** Puts the note below its word, or above it near the lower end of the window. */
function place(note: HTMLElement, word: Explained): void {
  const at = word.getBoundingClientRect();
  const { width, height } = note.getBoundingClientRect();
  const room = document.documentElement.clientWidth - width - margin;
  const isLow = at.bottom + height + margin > innerHeight;
  note.style.left = `${Math.max(margin, Math.min(room, at.left))}px`;
  note.style.top = `${isLow ? at.top - height - 4 : at.bottom + 4}px`;
}
