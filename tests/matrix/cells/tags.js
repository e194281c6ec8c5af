// SPDX-License-Identifier: MIT
// maskflow/tags finds the best tags in every engine, with tensors of the main entry.
import { entryCells } from '../lib/entry_cells.js';
import { chromium, firefox, webkit } from '../lib/pages.js';
import { nodeVersions } from './node.js';

const { inNode, onPage } = entryCells(
  'maskflow/tags',
  { mf: 'maskflow', tags: 'maskflow/tags' },
  { only: ['tags'] },
);

export const how = 'Each cell finds the best tags of a sentence with padding, and their spans.';
export const cells = [
  ...nodeVersions.map(inNode),
  onPage('Chromium', chromium),
  onPage('Firefox', firefox),
  onPage('WebKitGTK', webkit),
];
