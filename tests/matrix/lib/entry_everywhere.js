// SPDX-License-Identifier: MIT
// Cells that run one program with an entry of the package in each version of Node and each browser.
import { nodeVersions } from '../cells/node.js';
import { entryCells } from './entry_cells.js';
import { chromium, firefox, webkit } from './pages.js';

/** `entries` are as for `entryCells`; `program` is a name in ../programs. */
export function entryEverywhere(label, entries, program) {
  const { inNode, onPage } = entryCells(label, entries, { only: [program] });
  return [
    ...nodeVersions.map(inNode),
    onPage('Chromium', chromium),
    onPage('Firefox', firefox),
    onPage('WebKitGTK', webkit),
  ];
}
