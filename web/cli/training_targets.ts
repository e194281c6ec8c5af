// SPDX-License-Identifier: MIT
// The reader of the targets of `maskflow train`.
import type { PerName, PlainArray } from '../src/formats/verify/recorded.js';
import { readData } from './data.js';
import { readBytes, titleOf } from './files.js';

/** Targets of a model: one array, a list, or arrays by name. */
export type Targets = PerName<PlainArray>;

/** Reads targets from a file, whose format is detected from its content. */
export const readTargets = (path: string): Targets =>
  readData(readBytes(path), titleOf(path)) as Targets;
