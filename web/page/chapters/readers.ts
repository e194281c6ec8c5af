// SPDX-License-Identifier: MIT
import type { Reader } from '../engine/worker.js';
import { flow } from './flow/read.js';
import { padding } from './padding/read.js';
import { proof } from './proof/read.js';

/** By the chapter's id. */
export const readers: { [chapter: string]: Reader } = { proof, padding, flow };
