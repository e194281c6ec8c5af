// SPDX-License-Identifier: MIT
// `ops` of maskflow/train in scripts, where the bundler puts this file in place of train_ops.ts.
import { ops as all } from './all_ops_object.js';
import { named } from '../base/named.js';
import { withOtherNames } from './other_names.js';
import * as training from './training_ops.js';

export const ops: typeof import('./every_training_op.js') = /* @__PURE__ */ withOtherNames(
  named({ ...all, ...training }),
);
