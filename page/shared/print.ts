// SPDX-License-Identifier: MIT
/**
 * Prepares the page for paper: opens what is folded, but no programs, and calls `before`; undoes
 * both.
 */
export function followPrinting({ before, after }: { before(): void; after(): void }): void {
  let folded: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open], .code)')];
    for (const each of folded) each.open = true;
    before();
  });
  addEventListener('afterprint', () => {
    for (const each of folded) each.open = false;
    folded = [];
    after();
  });
}
