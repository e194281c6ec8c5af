// SPDX-License-Identifier: MIT
// The maker of the generated functions of `constraints`. The core applies constraints after each
// step.
import { configured, type Constraint } from './configured.js';

/** Returns the function that creates constraints of a class. */
export const constraintMaker =
  (className: string) =>
  (settings?: object): Constraint =>
    configured('constraint', className, settings);
