// SPDX-License-Identifier: MIT
/** On paper nothing can be unfolded: all of it is, and folded again afterwards. */
export function unfoldForPrint(): void {
  let folded: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const each of folded) each.open = true;
  });
  addEventListener('afterprint', () => {
    for (const each of folded) each.open = false;
    folded = [];
  });
}
