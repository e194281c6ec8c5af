// SPDX-License-Identifier: MIT
// A word or step under the pointer, or with the focus, lights up in every figure. Elements for the
// same thing have the same `data-link`: 'r0w2' is word 2 of row 0, wherever padding puts it; 'r0t3'
// is cell 3 of row 0.

/** Returns the links of each cell of a batch; `places` are the indices of the words. */
export const linksOf = (places: number[][]): string[][] =>
  places.map((row, b) =>
    row.map((word, t) => (word < 0 ? `r${b}t${t}` : `r${b}w${word} r${b}t${t}`)),
  );

let lit: string[] = [];

function light(links: string[]): void {
  if (links.join() === lit.join()) return;
  for (const element of document.querySelectorAll('.lit')) element.classList.remove('lit');
  lit = links;
  for (const link of links) {
    for (const element of document.querySelectorAll(`[data-link~="${CSS.escape(link)}"]`))
      element.classList.add('lit');
  }
}

const linksAt = (target: EventTarget | null): string[] => {
  const element =
    target instanceof Element ? target.closest<HTMLElement | SVGElement>('[data-link]') : null;
  return element?.dataset['link']?.split(' ') ?? [];
};

export function linkHover(): void {
  document.addEventListener('pointerover', ({ target }) => light(linksAt(target)));
  document.addEventListener('focusin', ({ target }) => light(linksAt(target)));
  document.addEventListener('focusout', () => light([]));
}
