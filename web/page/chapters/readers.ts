// SPDX-License-Identifier: MIT
import type { Reader } from '../engine/worker.js';
import { cost } from './cost/read.js';
import { learning } from './learning/read.js';
import { proof } from './proof/read.js';
import { stream } from './stream/read.js';

/** By the chapter's id. */
export const readers: { [chapter: string]: Reader } = { cost, learning, proof, stream };
