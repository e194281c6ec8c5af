// SPDX-License-Identifier: MIT
// The readers that a worker needs, without the code that draws.
import type { Reader } from '../engine/worker.js';
import { cell } from './cell/read.js';
import { cost } from './cost/read.js';
import { flow } from './flow/read.js';
import { learning } from './learning/read.js';
import { losing } from './losing/read.js';
import { makers } from './makers/read.js';
import { own } from './own/read.js';
import { padding } from './padding/read.js';
import { proof } from './proof/read.js';
import { steps } from './steps/read.js';
import { stream } from './stream/read.js';
import { truth } from './truth/read.js';

/** The readers of all chapters, by the chapter's id. */
export const readers: { [chapter: string]: Reader } = {
  proof,
  padding,
  makers,
  flow,
  steps,
  cell,
  cost,
  learning,
  losing,
  stream,
  own,
  truth,
};
