// SPDX-License-Identifier: MIT
/** Prepares the page for paper: opens what is folded and calls `before`; undoes both. */
export function followPrinting({ before, after }: { before(): void; after(): void }): void {
  let folded: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open]):not(.share)')];
    for (const each of folded) each.open = true;
    before();
  });
  addEventListener('afterprint', () => {
    for (const each of folded) each.open = false;
    folded = [];
    after();
  });
}
