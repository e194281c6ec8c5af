// SPDX-License-Identifier: MIT
// `addWeight` of custom layers; layer.ts calls it.
import { checkOptions, checkShape, checkText, isPlain, refuse } from '../base/check.js';
import { type ConfigValue, checkDepth } from '../engine/config_value.js';
import { native, unwrap } from '../engine/engine.js';
import type { NativeLayer } from '../engine/native.js';
import { replaceFunctions } from './custom_functions.js';
import type { WeightOptions } from './layer_config.js';

/** Adds a weight to a layer. Returns its name and its index among the layer's own weights. */
export function addWeight(
  layer: NativeLayer,
  options: WeightOptions,
): { index: number; name: string; shape: readonly number[] } {
  if (!isPlain(options as unknown)) {
    refuse(
      'the options of a weight',
      "an object: addWeight({ name: 'w', shape: [2, 3] })",
      options,
    );
  }
  const {
    name,
    shape = [],
    initializer = 'glorotUniform',
    trainable = true,
    dtype = 'float32',
  } = checkOptions(options, { name: 1, shape: 1, initializer: 1, trainable: 1, dtype: 1 });
  const hasName = name !== undefined && name !== null;
  if (hasName) checkText(name, 'the name of a weight');
  checkText(dtype, 'dtype');
  checkShape(shape);
  const weight = {
    ...(hasName ? { name } : {}),
    shape: [...shape],
    initializer: checkDepth(
      replaceFunctions(initializer, 'initializer'),
      'the initializer',
    ) as ConfigValue,
    trainable: Boolean(trainable),
    dtype,
  };
  return { ...unwrap(native().layerAddWeight(layer, weight)), shape };
}
