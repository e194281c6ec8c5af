// SPDX-License-Identifier: MIT
// Keras 3's own configuration in its legacy `.h5` files: all is there but the modules.
import * as ops from '../../ops/ops.gen.js';
import { isRecord, type Json, textOf } from '../json.js';

/** The configuration with the `module` of ops put back, by which the graph tells them from layers of that name. */
export function modernised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(modernised);
  if (!isRecord(value)) return value;
  const result: Json = {};
  for (const [key, item] of Object.entries(value)) result[key] = modernised(item);
  if (!('module' in result) && isOp(result)) result['module'] = 'keras.src.ops.numpy';
  return result;
}

// `Add` is a layer and an op; layers say whether they are trainable.
function isOp(entry: Json): boolean {
  const config = entry['config'];
  if (!('inbound_nodes' in entry) || !isRecord(config) || 'trainable' in config) return false;
  const name = textOf(entry['class_name']);
  return name === 'Var' || name.slice(0, 1).toLowerCase() + name.slice(1) in ops;
}
