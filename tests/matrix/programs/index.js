// SPDX-License-Identifier: MIT
// The programs by their names. Each has `run(entries, options)`, which gives numbers, and the numbers `wanted`.
import * as core from './core.js';
import * as load from './load.js';
import * as pool from './pool.js';
import * as text from './text.js';
import * as worker from './worker.js';

export const programs = { core, load, text, worker, pool };
