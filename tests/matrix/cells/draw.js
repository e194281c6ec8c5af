// SPDX-License-Identifier: MIT
// maskflow/draw draws models of the main entry in every engine.
import { entryCells } from '../lib/entry_cells.js';
import { chromium, firefox, webkit } from '../lib/pages.js';
import { nodeVersions } from './node.js';

const { inNode, onPage } = entryCells(
  'maskflow/draw',
  { mf: 'maskflow', draw: 'maskflow/draw' },
  { only: ['draw'] },
);

export const how = 'Each cell draws a model and a mask.';
export const cells = [
  ...nodeVersions.map(inNode),
  onPage('Chromium', chromium),
  onPage('Firefox', firefox),
  onPage('WebKitGTK', webkit),
];
