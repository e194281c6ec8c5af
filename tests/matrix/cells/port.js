// SPDX-License-Identifier: MIT
// maskflow/port translates a program in every engine.
import { entryCells } from '../lib/entry_cells.js';
import { chromium, firefox, webkit } from '../lib/pages.js';
import { nodeVersions } from './node.js';

const { inNode, onPage } = entryCells(
  'maskflow/port',
  { mf: 'maskflow', port: 'maskflow/port' },
  { only: ['port'] },
);

export const how = 'Each cell translates a Keras program, and refuses a damaged one.';
export const cells = [
  ...nodeVersions.map(inNode),
  onPage('Chromium', chromium),
  onPage('Firefox', firefox),
  onPage('WebKitGTK', webkit),
];
