// SPDX-License-Identifier: MIT
// The mask rule of loaded models, which `save` needs again: it decides which version of Keras the
// file names.
import type { Layer } from '../../layers/layer.js';
import { type MaskPropagation, runtimeInfo } from '../../engine/runtime.js';

// The core stores the rule in each layer, but no binding returns it.
const rules = new WeakMap<Layer, MaskPropagation>();

/** Remembers the mask rule of a model's file, and returns the model. */
export function rememberRule<L extends Layer>(model: L, rule: MaskPropagation | undefined): L {
  if (rule) rules.set(model, rule);
  return model;
}

/** The mask rule of a model: recurrent layers pass masks on in Keras 3.15, and not in 3.16. */
export const ruleOf = (model: Layer): MaskPropagation =>
  rules.get(model) ?? runtimeInfo().maskPropagation;
