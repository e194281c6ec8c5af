// SPDX-License-Identifier: MIT
// Keras 1's one layer for all ways of merging.
import type { SerializedObject } from '../artifact.js';
import type { Context } from './context.js';
import { type Json, lookUp } from '../json.js';

const classes: { [mode: string]: string } = {
  sum: 'Add',
  mul: 'Multiply',
  ave: 'Average',
  max: 'Maximum',
  concat: 'Concatenate',
  dot: 'Dot',
};

/** `Merge(mode=…)` as the class that Keras has for that mode today. */
export function mergeLayer(config: Json, { problems }: Context): SerializedObject {
  const { mode, name } = config;
  const known = typeof mode === 'string' ? lookUp(classes, mode) : undefined;
  if (!known) {
    problems.push(
      `'${name}': Merge with the mode ${JSON.stringify(mode)}; there are ${Object.keys(classes).join(', ')}`,
    );
  }
  const settings: Json = { name };
  if (known === 'Concatenate') settings['axis'] = config['concat_axis'] ?? -1;
  if (known === 'Dot') settings['axes'] = config['dot_axes'] ?? -1;
  return {
    module: 'keras.layers',
    class_name: known ?? 'Merge',
    config: settings,
    registered_name: null,
  };
}
