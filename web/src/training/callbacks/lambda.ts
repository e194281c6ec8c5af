// SPDX-License-Identifier: MIT
// The callback `callbacks.lambda`, Keras's LambdaCallback. A plain object of functions does the
// same.
import { checkFunction, optionsOf } from '../../base/check.js';
import type { TrainingCallback } from '../../model/train_options.js';
import { Callback } from './callback.js';

/** A callback made of functions. */
export class LambdaCallback extends Callback {
  constructor(functions: Omit<TrainingCallback, 'setModel' | 'setParams'> = {}) {
    super();
    const given = optionsOf(functions, 'the options of a callback', 'onEpochEnd: …');
    for (const [name, f] of Object.entries(given)) checkFunction(f, name);
    Object.assign(this, functions);
  }
}
