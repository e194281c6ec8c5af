// SPDX-License-Identifier: MIT
import type { Reader } from '../engine/worker.js';
import { own } from './own/read.js';
import { proof } from './proof/read.js';
import { truth } from './truth/read.js';

/** By the chapter's id. */
export const readers: { [chapter: string]: Reader } = { proof, own, truth };
