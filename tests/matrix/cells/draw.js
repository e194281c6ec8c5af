// SPDX-License-Identifier: MIT
// maskflow/draw draws models of the main entry in every engine.
import { entryEverywhere } from '../lib/entry_everywhere.js';

export const how = 'Each cell draws a model and a mask.';
export const cells = entryEverywhere(
  'maskflow/draw',
  { mf: 'maskflow', draw: 'maskflow/draw' },
  'draw',
);
