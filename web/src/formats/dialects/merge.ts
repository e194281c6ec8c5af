// SPDX-License-Identifier: MIT
// Keras 1's layer for all kinds of merging.
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

/** Converts `Merge(mode=…)` to today's class for this mode. */
export function mergeLayer(config: Json, { problems }: Context): SerializedObject {
  const { mode, name } = config;
  const className = typeof mode === 'string' ? lookUp(classes, mode) : undefined;
  if (!className) {
    problems.push(
      `'${name}': Merge has the unsupported mode ${JSON.stringify(mode)}; the modes are ${Object.keys(classes).join(', ')}`,
    );
  }
  const settings: Json = { name };
  if (className === 'Concatenate') settings['axis'] = config['concat_axis'] ?? -1;
  if (className === 'Dot') settings['axes'] = config['dot_axes'] ?? -1;
  return {
    module: 'keras.layers',
    class_name: className ?? 'Merge',
    config: settings,
    registered_name: null,
  };
}
