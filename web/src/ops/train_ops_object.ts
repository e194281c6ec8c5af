// SPDX-License-Identifier: MIT
// `ops` of maskflow/train in scripts, where the bundler puts this file in place of train_ops.ts.
import { ops as all } from './all_ops_object.js';
import * as training from './training_ops.js';

export const ops: typeof import('./every_training_op.js') = { ...all, ...training };
