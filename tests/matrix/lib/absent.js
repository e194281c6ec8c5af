// SPDX-License-Identifier: MIT
import { Failure } from '../../../scripts/lib/process.mjs';

/** What a cell needs is not on this machine: it is not run. */
export class Absent extends Failure {}
