// SPDX-License-Identifier: MIT
// Colours of program text, for the boxes that show programs; the editor has its own.
import { h } from './dom.js';

const kinds = ['comment', 'string', 'keyword', 'literal'] as const;
const patterns = {
  js: /(\/\/.*)|('[^'\n]*'|`[^`]*`)|\b(import|from|await|const|let|new|class|extends|return|super|null|true|false|this)\b|\b(\d[\d.]*)\b/g,
  python:
    /(#.*)|("[^"\n]*"|'[^'\n]*')|\b(import|from|as|def|class|return|not|is|None|True|False|self|super|if|else)\b|\b(\d[\d.]*)\b/g,
};

export type Language = keyof typeof patterns;

/** Returns program text as spans by kind of token: just enough for short examples. */
export function highlight(text: string, language: Language): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let from = 0;
  for (const match of text.matchAll(patterns[language])) {
    const kind = kinds[match.slice(1).findIndex((group) => group !== undefined)];
    parts.push(text.slice(from, match.index), h('span', { class: kind ?? '' }, match[0]));
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return parts;
}
