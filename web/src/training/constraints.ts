// SPDX-License-Identifier: MIT
import { configured, type Constraint } from './configured.js';

/** What makes constraints of that name. */
export const constraintMaker =
  (className: string) =>
  (settings?: object): Constraint =>
    configured('constraint', className, settings);
