// SPDX-License-Identifier: MIT
// The generated functions of `constraints` call this one. The core applies constraints after each
// step.
import { configured, type Constraint } from './configured.js';

/** Creates a constraint of a class. */
export const createConstraint = (className: string, settings: object): Constraint =>
  configured('constraint', className, settings);
