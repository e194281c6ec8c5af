// SPDX-License-Identifier: MIT
// maskflow/port translates a program in every engine.
import { entryEverywhere } from '../lib/entry_everywhere.js';

export const how = 'Each cell translates a Keras program, and refuses a damaged one.';
export const cells = entryEverywhere(
  'maskflow/port',
  { mf: 'maskflow', port: 'maskflow/port' },
  'port',
);
