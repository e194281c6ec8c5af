// SPDX-License-Identifier: MIT
/** Opens all `details` elements for printing, and closes them again afterwards. */
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
