// SPDX-License-Identifier: MIT
// The programs by their names. Each has `run(entries, options)`, which gives numbers, and the
// numbers `wanted`.
import * as bits from './bits.js';
import * as core from './core.js';
import * as draw from './draw.js';
import * as load from './load.js';
import * as pickles from './pickles.js';
import * as pool from './pool.js';
import * as port from './port.js';
import * as tags from './tags.js';
import * as text from './text.js';
import * as torch from './torch.js';
import * as train from './train.js';
import * as worker from './worker.js';

export const programs = {
  core,
  load,
  text,
  worker,
  pool,
  train,
  bits,
  torch,
  draw,
  port,
  tags,
  pickles,
};

/** Programs of entries that only their own cells import. */
const named = ['train', 'bits', 'torch', 'draw', 'port', 'tags', 'pickles'];

/**
 * Returns the names of the programs for these entries. `train` runs alone, because the first wasm
 * module that runs is kept. Those in `named` run only if they are named.
 */
export const programsFor = (entries) =>
  'train' in entries ? ['train'] : Object.keys(programs).filter((name) => !named.includes(name));
