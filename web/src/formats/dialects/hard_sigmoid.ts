// SPDX-License-Identifier: MIT
// The two meanings of `hard_sigmoid`. build_model.ts asks for the conversion through to_keras3.ts.
import type { HardSigmoid, SerializedObject } from '../artifact.js';
import { isRecord, type Json } from '../json.js';

const kOld = 'hard_sigmoid_keras2';

/** Renames the function in an activation setting. */
function renameIn(value: unknown): unknown {
  if (value === 'hard_sigmoid') return kOld;
  // The activation may be an object such as {class_name: 'function', config: 'hard_sigmoid'}.
  if (isRecord(value) && value['config'] === 'hard_sigmoid') return kOld;
  return visit(value);
}

/** Renames the function in all activation settings of a config. */
function visit(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(visit);
  if (!isRecord(value)) return value;
  const result: Json = {};
  for (const [key, item] of Object.entries(value)) {
    result[key] = key.endsWith('activation') ? renameIn(item) : visit(item);
  }
  return result;
}

/**
 * Returns the config with the `hard_sigmoid` of the Keras that wrote it: clip(0.2 x + 0.5, 0, 1) up
 * to Keras 2 and in TF.js, clip(x / 6 + 0.5, 0, 1) since Keras 3. The core's name of the former is
 * `hard_sigmoid_keras2`.
 */
export function withHardSigmoid(config: SerializedObject, meaning: HardSigmoid): SerializedObject {
  return meaning === 'keras3' ? config : (visit(config) as SerializedObject);
}
