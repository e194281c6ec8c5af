// SPDX-License-Identifier: MIT
// The recursion of the conversion: a model contains layers, and layers contain models.
import type { SerializedObject } from '../artifact.js';
import type { Context } from './context.js';
import { isModel } from './entries.js';
import { toFunctional } from './graph.js';
import { isRecord, type Json } from '../json.js';
import { toLayer } from './layers.js';
import { restoreModules } from './restore_modules.js';
import { toSequential } from './sequential.js';

/** Converts a model or a nested model to Keras 3's form. */
export function toModel(entry: Json, context: Context): SerializedObject {
  if (context.major >= 3) return restoreModules(entry) as SerializedObject;
  const { config } = entry;
  if (isRecord(config) && 'output_layers' in config) return toFunctional(config, context);
  return toSequential(config, context);
}

/** Converts a layer or a model with all its sublayers to Keras 3's form. */
export const toLayerOrModel = (entry: Json, context: Context): SerializedObject =>
  isModel(entry) ? toModel(entry, context) : toLayer(entry, context);
