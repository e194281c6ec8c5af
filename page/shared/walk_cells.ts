// SPDX-License-Identifier: MIT
// Keys for the cells of a table that a click chooses: one cell is the tab stop, arrows move it,
// Enter or Space chooses it.

/** Makes the cells of the table in `slot` reachable by keys, also after it is drawn again. */
export function walkCells(slot: HTMLElement): void {
  new MutationObserver(() => offer(slot)).observe(slot, { childList: true });
  slot.addEventListener('focusin', ({ target }) => stopAt(slot, target as Element));
  slot.addEventListener('keydown', (event) => {
    const cell = (event.target as Element).closest<HTMLElement>('td[tabindex]');
    if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      cell.click();
      return;
    }
    const next = neighbour(cell, event.key);
    if (next === undefined) return;
    event.preventDefault();
    next?.focus();
  });
}

const cellsOf = (row: Element | null | undefined): HTMLElement[] => [
  ...(row?.querySelectorAll<HTMLElement>('td[data-link]') ?? []),
];

/** Returns the cell to which a key moves, null at the edge, or undefined for another key. */
function neighbour(cell: HTMLElement, key: string): HTMLElement | null | undefined {
  const row = cell.closest('tr');
  const cells = cellsOf(row);
  const at = cells.indexOf(cell);
  const along: { [key: string]: number } = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: cells.length - 1,
  };
  if (key in along) return cells[along[key] ?? 0] ?? null;
  if (key === 'ArrowUp') return cellsOf(row?.previousElementSibling)[at] ?? null;
  if (key === 'ArrowDown') return cellsOf(row?.nextElementSibling)[at] ?? null;
  return undefined;
}

function offer(slot: HTMLElement): void {
  slot.querySelector('table')?.setAttribute('role', 'grid');
  for (const cell of cellsOf(slot)) {
    cell.setAttribute('role', 'gridcell');
    cell.tabIndex = -1;
  }
  const first = slot.querySelector<HTMLElement>('td.chosen-step') ?? cellsOf(slot)[0];
  if (first) first.tabIndex = 0;
}

function stopAt(slot: HTMLElement, target: Element): void {
  const cell = target.closest<HTMLElement>('td[tabindex]');
  if (!cell) return;
  for (const each of cellsOf(slot)) each.tabIndex = each === cell ? 0 : -1;
}
