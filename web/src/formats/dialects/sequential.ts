// SPDX-License-Identifier: MIT
// Sequential models of Keras 1 and 2. Their configs may lack the InputLayer, which first_input.ts
// then finds.
import type { SerializedObject } from '../artifact.js';
import type { Context } from './context.js';
import { layersOf } from './entries.js';
import { inputOf } from './first_input.js';
import { isRecord, textOf } from '../json.js';
import { startsWithMerge, toMergedModel } from './merged_sequential.js';

/** Converts a Sequential model to Keras 3's form, with an InputLayer first. */
export function toSequential(config: unknown, context: Context): SerializedObject {
  const layers = layersOf(config);
  const settings = isRecord(config) ? config : {};
  const name = textOf(settings['name']) || 'sequential';
  if (startsWithMerge(layers)) return toMergedModel(name, layers, context);
  const input = inputOf(layers, settings['build_input_shape']);
  return {
    module: 'keras',
    class_name: 'Sequential',
    config: {
      name,
      trainable: settings['trainable'] ?? true,
      layers: [...(input ? [input] : []), ...layers.map(context.convert)],
    },
    registered_name: null,
  };
}
