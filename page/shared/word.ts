// SPDX-License-Identifier: MIT
// A word that the page explains (words.ts), as an element.
import { h } from './dom.js';

export const word = (name: string, text = name): HTMLElement =>
  h('span', { class: 'word', role: 'button', tabindex: 0, 'data-word': name }, text);
