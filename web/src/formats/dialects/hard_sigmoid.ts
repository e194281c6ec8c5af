// SPDX-License-Identifier: MIT
import type { HardSigmoid, SerializedObject } from '../artifact.js';
import { isRecord, type Json } from '../json.js';

const kOld = 'hard_sigmoid_keras2';

function renamed(value: unknown): unknown {
  if (value === 'hard_sigmoid') return kOld;
  // {class_name: 'function', config: 'hard_sigmoid'}
  if (isRecord(value) && value['config'] === 'hard_sigmoid') return kOld;
  return inside(value);
}

function inside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inside);
  if (!isRecord(value)) return value;
  const result: Json = {};
  for (const [key, item] of Object.entries(value)) {
    result[key] = key.endsWith('activation') ? renamed(item) : inside(item);
  }
  return result;
}

/**
 * The configuration with `hard_sigmoid` meaning what it meant to the Keras that wrote it: clip(0.2 x + 0.5, 0, 1) up to
 * Keras 2 and in TF.js, clip(x / 6 + 0.5, 0, 1) since Keras 3. The core knows the old one as `hard_sigmoid_keras2`.
 */
export function withHardSigmoid(config: SerializedObject, meaning: HardSigmoid): SerializedObject {
  return meaning === 'keras3' ? config : (inside(config) as SerializedObject);
}
