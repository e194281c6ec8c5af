// SPDX-License-Identifier: MIT
import { Failure } from '../../../scripts/lib/process.mjs';

/** Thrown if this machine lacks something that a cell needs, so that the cell cannot run. */
export class Absent extends Failure {}
