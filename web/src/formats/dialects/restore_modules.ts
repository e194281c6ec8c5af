// SPDX-License-Identifier: MIT
// Configs in Keras 3's legacy `.h5` files, which lack the modules of ops.
import { isRecord, type Json, textOf } from '../json.js';
import { opNames } from './op_names.gen.js';

/** Adds the `module` of ops, which distinguishes them from layers of the same name. */
export function restoreModules(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restoreModules);
  if (!isRecord(value)) return value;
  const result: Json = {};
  for (const [key, item] of Object.entries(value)) result[key] = restoreModules(item);
  if (!('module' in result) && isOp(result)) result['module'] = 'keras.src.ops.numpy';
  return result;
}

/** Returns whether an entry is an op. `Add` is a layer, too, but only layers have `trainable`. */
function isOp(entry: Json): boolean {
  const config = entry['config'];
  if (!('inbound_nodes' in entry) || !isRecord(config) || 'trainable' in config) return false;
  return opNames.has(textOf(entry['class_name']));
}
