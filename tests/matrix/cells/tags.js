// SPDX-License-Identifier: MIT
// maskflow/tags finds the best tags in every engine, with tensors of the main entry.
import { entryEverywhere } from '../lib/entry_everywhere.js';

export const how = 'Each cell finds the best tags of a sentence with padding, and their spans.';
export const cells = entryEverywhere(
  'maskflow/tags',
  { mf: 'maskflow', tags: 'maskflow/tags' },
  'tags',
);
