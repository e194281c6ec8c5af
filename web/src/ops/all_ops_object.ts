// SPDX-License-Identifier: MIT
// Extends the object of maskflow/recurrent: a namespace would list, import and export the names of
// all ops again.
import { ops as common } from './ops.js';
import * as more from './more_ops.js';

export const ops: typeof import('./every_op.js') = { ...common, ...more };
