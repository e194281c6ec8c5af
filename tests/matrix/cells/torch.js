// SPDX-License-Identifier: MIT
// maskflow/torch reads a file in every engine, and shares its layers with maskflow.
import { entryCells } from '../lib/entry_cells.js';
import { chromium, firefox, webkit } from '../lib/pages.js';
import { nodeVersions } from './node.js';

const { inNode, onPage } = entryCells(
  'maskflow/torch',
  { mf: 'maskflow', torch: 'maskflow/torch' },
  { only: ['torch'] },
);

export const how = 'Each cell reads a `.safetensors` file and predicts with its layer.';
export const cells = [
  ...nodeVersions.map(inNode),
  onPage('Chromium', chromium),
  onPage('Firefox', firefox),
  onPage('WebKitGTK', webkit),
];
