// SPDX-License-Identifier: MIT
import { configured, type Constraint } from './configured.js';

/** Returns the function that creates constraints of a class. */
export const constraintMaker =
  (className: string) =>
  (settings?: object): Constraint =>
    configured('constraint', className, settings);
