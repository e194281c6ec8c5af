// SPDX-License-Identifier: MIT
import { ops as all } from './all_ops_object.js';
import * as training from './training_ops.js';

export const ops: typeof import('./every_training_op.js') = { ...all, ...training };
