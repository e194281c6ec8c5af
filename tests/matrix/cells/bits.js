// SPDX-License-Identifier: MIT
// Training results in the same weights in every engine, to the bit.
import { entryCells } from '../lib/entry_cells.js';
import { chromium, firefox, webkit } from '../lib/pages.js';
import { nodeVersions } from './node.js';

const { inNode, inRuntime, onPage } = entryCells(
  'trained bits',
  { train: 'maskflow/train' },
  { only: ['bits'], ready: { variant: 'simd' } },
);

export const how = [
  'Each cell runs the same seeded training with dropout, masks and a schedule on the variant',
  '`simd`. The hash of the weights must be the same everywhere.',
].join(' ');
export const cells = [
  ...nodeVersions.map(inNode),
  inRuntime('bun', '1.4.5', ['run']),
  inRuntime('deno', '2.9.6', ['run', '-A']),
  onPage('Chromium', chromium),
  onPage('Firefox', firefox),
  onPage('WebKitGTK', webkit),
];
