// SPDX-License-Identifier: MIT
// The layers and ops that a model can be built from.
import type { Item } from './item.js';
import { shelfLayers } from './shelf_layers.js';
import { shelfOperations } from './shelf_operations.js';
import { shelfOwn } from './shelf_own.js';

export const shelf: readonly Item[] = [...shelfLayers, ...shelfOperations, ...shelfOwn];

export const groups: readonly Item['group'][] = [
  'Makes a mask',
  'Passes it on',
  'Reads it',
  'Ignores it',
  'Plain operations',
  'Your own',
];
