// SPDX-License-Identifier: MIT
// maskflow/torch reads a file in every engine, and shares its layers with maskflow.
import { entryEverywhere } from '../lib/entry_everywhere.js';

export const how = 'Each cell reads a `.safetensors` file and predicts with its layer.';
export const cells = entryEverywhere(
  'maskflow/torch',
  { mf: 'maskflow', torch: 'maskflow/torch' },
  'torch',
);
