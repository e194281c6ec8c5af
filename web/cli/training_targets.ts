// SPDX-License-Identifier: MIT
import type { PerName, PlainArray } from '../src/formats/verify/recorded.js';
import { readData } from './data.js';
import { readBytes, titleOf } from './files.js';

/** What the outputs of a model are to be: one, a list, or by name. */
export type Targets = PerName<PlainArray>;

/** From a file; what it is, is seen from its content. */
export const readTargets = (path: string): Targets =>
  readData(readBytes(path), titleOf(path)) as Targets;
