// SPDX-License-Identifier: MIT
import type { Reader } from '../engine/worker.js';
import { proof } from './proof/read.js';

/** By the chapter's id. */
export const readers: { [chapter: string]: Reader } = { proof };
