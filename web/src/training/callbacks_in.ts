// SPDX-License-Identifier: MIT
// The option `callbacks` of `fit`, `evaluate` and `predict`.
import { checkList } from '../base/check.js';
import type { CallbackOptions, TrainingCallback } from '../model/train_options.js';

/** Returns the callbacks among options: a list, or one callback. */
export function callbacksIn({ callbacks }: CallbackOptions): readonly TrainingCallback[] {
  if (callbacks === undefined || callbacks === null) return [];
  const isOne = typeof callbacks === 'object' && !Array.isArray(callbacks);
  const list: unknown = isOne ? [callbacks] : callbacks;
  checkList(list, 'callbacks');
  return list as readonly TrainingCallback[];
}
