// SPDX-License-Identifier: MIT
// maskflow/text opens pickles in every engine.
import { entryEverywhere } from '../lib/entry_everywhere.js';

export const how = 'Each cell opens pickles of a Tokenizer and of a scaler, and uses both.';
export const cells = entryEverywhere(
  'maskflow/text, pickles',
  { mf: 'maskflow', text: 'maskflow/text' },
  'pickles',
);
