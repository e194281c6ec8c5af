// SPDX-License-Identifier: MIT
// The programs by their names. Each has `run(entries, options)`, which gives numbers, and the numbers `wanted`.
import * as bits from './bits.js';
import * as core from './core.js';
import * as load from './load.js';
import * as pool from './pool.js';
import * as text from './text.js';
import * as train from './train.js';
import * as worker from './worker.js';

export const programs = { core, load, text, worker, pool, train, bits };

/**
 * Names of the programs for these entries. The wasm module that runs first stays, so `train` runs
 * alone; `bits` runs only by name.
 */
export const programsFor = (entries) =>
  'train' in entries
    ? ['train']
    : Object.keys(programs).filter((name) => !['train', 'bits'].includes(name));
