// SPDX-License-Identifier: MIT
import type { Layer } from '../../layers/layer.js';
import { type MaskPropagation, runtimeInfo } from '../../engine/runtime.js';

// The core keeps the rule in each layer, and does not tell it.
const rules = new WeakMap<Layer, MaskPropagation>();

/** Notes that a model was made under a rule of its own, and gives the model. */
export function withRule<L extends Layer>(model: L, rule: MaskPropagation | undefined): L {
  if (rule) rules.set(model, rule);
  return model;
}

/** Does a model pass masks on behind recurrent layers, as Keras 3.15 does, or not, as 3.16? */
export const ruleOf = (model: Layer): MaskPropagation =>
  rules.get(model) ?? runtimeInfo().maskPropagation;
