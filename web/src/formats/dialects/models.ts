// SPDX-License-Identifier: MIT
import type { SerializedObject } from '../artifact.js';
import { type Context, splitClass } from './context.js';
import { toFunctional } from './graph.js';
import { isRecord, type Json } from './json.js';
import { modernised } from './modern.js';
import { toSequential } from './sequential.js';

const kModels = new Set(['Model', 'Functional', 'Sequential', 'Container', 'Network', 'Graph']);

/** A model, also of a class of somebody's own that was made from a graph. */
export function isModel(entry: Json): boolean {
  if (kModels.has(splitClass(entry).className)) return true;
  const config = entry['config'];
  return isRecord(config) && Array.isArray(config['layers']) && 'output_layers' in config;
}

/** A model, or a model inside one, in Keras 3's form. */
export function toModel(entry: Json, context: Context): SerializedObject {
  if (context.major >= 3) return modernised(entry) as SerializedObject;
  const { config } = entry;
  if (isRecord(config) && 'output_layers' in config) return toFunctional(config, context);
  return toSequential(config, context);
}
