// SPDX-License-Identifier: MIT
import { callable, options } from '../../base/check.js';
import type { TrainingCallback } from '../../model/train_options.js';
import { Callback } from './callback.js';

/** Functions in place of a class. */
export class LambdaCallback extends Callback {
  constructor(functions: Omit<TrainingCallback, 'setModel' | 'setParams'> = {}) {
    super();
    for (const [name, f] of Object.entries(options(functions))) callable(f, name);
    Object.assign(this, functions);
  }
}
