// SPDX-License-Identifier: MIT
// Extends the object of maskflow/recurrent: a namespace would list, import and export the names of
// all ops again.
import { ops as common } from './ops.js';
import { named } from '../base/named.js';
import * as more from './more_ops.js';
import { withOtherNames } from './other_names.js';

export const ops: typeof import('./every_op.js') = /* @__PURE__ */ withOtherNames(
  named({ ...common, ...more }),
);
